// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/settings/foreign_type.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

#include "base/text.h"

namespace halftoned {
namespace {

constexpr const PrintSetting& kLpi = SettingNamed("screen-lpi");
constexpr const PrintSetting& kAngle = SettingNamed("screen-angle");
constexpr const PrintSetting& kGamma = SettingNamed("gamma");

constexpr double kMostAngle = 360;
constexpr double kMostGamma = 99;

struct Screens {
  std::string_view name;
  double most_shape;
  // Numbers of the round shapes: circle and round spot, or PDF's SimpleDot,
  // CosineDot and Round.
  int round[3];
};
constexpr Screens kScreens[] = {{"genordered", 8, {0, 8, 8}},
                                {"spot", 20, {0, 4, 10}}};

// Takes the next parameter from `text`; nothing if it is out of range.
std::optional<double> TakeNumber(std::string_view& text, double least,
                                 double most) {
  text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(
      text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (error != std::errc() || !(value >= least && value <= most)) {
    return std::nullopt;
  }
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  if (!text.empty() && text.front() != '-') return std::nullopt;
  return value;
}

// Takes all parameters; false if one is invalid.
bool TakeNumbers(const Screens& screens, std::string_view text,
                 ForeignType& type) {
  const auto take = [&](double least, double most, const auto& use) {
    if (text.empty()) return true;
    const auto number = TakeNumber(text, least, most);
    if (number) use(*number);
    return number.has_value();
  };
  return take(1, kLpi.most,
              [&](double lpi) { type.numbers.emplace_back(&kLpi, lpi); }) &&
         take(0, kMostAngle,
              [&](double angle) {
                // A grid of dots repeats every 90 degrees.
                type.numbers.emplace_back(&kAngle, std::fmod(angle, 90));
              }) &&
         take(0, screens.most_shape,
              [&](double shape) {
                type.is_round = std::ranges::count(screens.round, shape) > 0;
              }) &&
         take(1, kMostGamma,
              [&](double gamma) {
                type.numbers.emplace_back(&kGamma,
                                          std::min(100 / gamma, kGamma.most));
              }) &&
         text.empty();
}

std::string Whole(double number) {
  return std::to_string(static_cast<int>(number));
}

Error Mistake(std::string_view text, const Screens& screens) {
  return BadInput(std::string(text) + " is not " + std::string(screens.name) +
                  "[-LPI][-ANGLE][-SHAPE][-GAMMA], in 1 … " + Whole(kLpi.most) +
                  ", 0 … " + Whole(kMostAngle) + ", 0 … " +
                  Whole(screens.most_shape) + " and 1 … " + Whole(kMostGamma));
}

}  // namespace

std::optional<Result<ForeignType>> ParseForeignType(std::string_view text) {
  const std::string lower = LowerCase(text);
  if (lower == "dithering") {
    return ForeignType{Algorithm::kBlueNoise, "dithering", {}};
  }
  if (lower == "foo2zjs") return ForeignType{Algorithm::kScreen, "foo2zjs", {}};
  for (const Screens& screens : kScreens) {
    if (!lower.starts_with(screens.name)) continue;
    const auto rest = std::string_view(lower).substr(screens.name.size());
    if (!rest.empty() && rest.front() != '-') continue;
    ForeignType type{Algorithm::kScreen, screens.name, {}};
    if (TakeNumbers(screens, rest, type)) return type;
    return Mistake(text, screens);
  }
  return std::nullopt;
}

}  // namespace halftoned
