// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/foreign_type.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "base/text.h"

namespace halftoned {
namespace {

constexpr const PrintSetting& kType = SettingNamed("halftone-type");
constexpr const PrintSetting& kLpi = SettingNamed("screen-lpi");
constexpr const PrintSetting& kAngle = SettingNamed("screen-angle");
constexpr const PrintSetting& kShape = SettingNamed("screen-shape");
constexpr const PrintSetting& kGamma = SettingNamed("gamma");

constexpr double kMostAngle = 360;
constexpr double kMostGamma = 99;

// A foreign shape, as one of ours.
struct Shape {
  DotShape::Outline outline;
  double turn = 0;       // degrees from the foreign angle to ours
  bool is_near = false;  // the nearest of ours is another one
  double lines = 1;      // of ours per foreign line
};

using enum DotShape::Outline;

constexpr Shape kOrdered[] = {
    {.outline = kRound},                   // circle
    {.outline = kRound},                   // red book
    {.outline = kRound, .is_near = true},  // inverted
    {.outline = kDiamond, .turn = 90},     // rhomboid
    {.outline = kLine},                    // line X
    {.outline = kLine, .turn = 90},        // line Y
    {.outline = kDiamond, .turn = 90},     // diamond 1
    {.outline = kDiamond},                 // diamond 2
    {.outline = kRound},                   // round spot
};

// Double dots lie twice as close, in both directions or in one.
constexpr Shape kSpots[] = {
    {.outline = kRound},                                 // SimpleDot
    {.outline = kRound, .is_near = true},                // InvertedSimpleDot
    {.outline = kRound, .lines = 2},                     // DoubleDot
    {.outline = kRound, .lines = 2},                     // InvertedDoubleDot
    {.outline = kRound},                                 // CosineDot
    {.outline = kRound, .is_near = true, .lines = 1.4},  // Double
    {.outline = kRound, .is_near = true, .lines = 1.4},  // InvertedDouble
    {.outline = kLine},                                  // Line
    {.outline = kLine, .turn = 90},                      // LineX
    {.outline = kLine},                                  // LineY
    {.outline = kRound},                                 // Round
    {.outline = kEllipse},                               // Ellipse
    {.outline = kEllipse, .turn = 90},                   // EllipseA
    {.outline = kEllipse, .turn = 90, .is_near = true},  // InvertedEllipseA
    {.outline = kEllipse, .turn = 90},                   // EllipseB
    {.outline = kEllipse},                               // EllipseC
    {.outline = kEllipse, .is_near = true},              // InvertedEllipseC
    {.outline = kRound, .is_near = true},                // Square
    {.outline = kRound, .is_near = true},                // Cross
    {.outline = kDiamond},                               // Rhomboid
    {.outline = kDiamond},                               // Diamond
};

struct Screens {
  std::string_view name;
  std::span<const Shape> shapes;
  // Converts a foreign angle to ours, which are counterclockwise. Angles of
  // `spot` are clockwise; those of `genordered` repeat every 90 degrees, for
  // all shapes.
  double (*angle)(double);

  double most_shape() const { return static_cast<double>(shapes.size() - 1); }
};
constexpr Screens kScreens[] = {
    {"genordered", kOrdered, [](double angle) { return std::fmod(angle, 90); }},
    {"spot", kSpots, [](double angle) { return 360 - angle; }}};

struct Numbers {
  double lpi = 133;
  double angle = 45;
  double shape = 0;
  double gamma = 0;
};

// Takes the next parameter from `text`; false if it is out of range.
bool TakeParameter(std::string_view& text, double least, double most,
                   double& number) {
  if (text.empty()) return true;
  text.remove_prefix(1);
  const auto taken = TakeNumber<double>(text, std::chars_format::fixed);
  if (!(taken >= least && taken <= most)) return false;
  number = *taken;
  return text.empty() || text.front() == '-';
}

// Nothing if a parameter is invalid.
std::optional<Numbers> TakeNumbers(const Screens& screens,
                                   std::string_view text) {
  Numbers numbers;
  const bool are_valid =
      TakeParameter(text, 1, kLpi.most, numbers.lpi) &&
      TakeParameter(text, 0, kMostAngle, numbers.angle) &&
      TakeParameter(text, 0, screens.most_shape(), numbers.shape) &&
      TakeParameter(text, 0, kMostGamma, numbers.gamma) && text.empty() &&
      numbers.shape == std::floor(numbers.shape);
  if (!are_valid) return std::nullopt;
  return numbers;
}

// So that messages can name it.
double Rounded(double number) { return std::round(number * 1e4) / 1e4; }

ForeignType TypeOf(const Screens& screens, const Numbers& numbers) {
  const Shape& shape = screens.shapes[static_cast<size_t>(numbers.shape)];
  ForeignType type{screens.name, {&kLpi, &kAngle, &kShape}};
  Look& look = type.look;
  look.algorithm = Algorithm::kScreen;
  const double lpi = Rounded(numbers.lpi * shape.lines);
  look.screen_lpi = std::min(lpi, kLpi.most);
  // Round dots look the same a quarter of a turn further.
  look.screen_angle = std::fmod(screens.angle(numbers.angle) + shape.turn,
                                shape.outline == kRound ? 90 : 180);
  look.screen_shape = shape.outline;
  type.is_near = shape.is_near || lpi > kLpi.most;
  if (numbers.gamma > 0) {
    const double gamma = Rounded(100 / numbers.gamma);
    type.settings.push_back(&kGamma);
    look.gamma = std::min(gamma, kGamma.most);
    type.is_near |= gamma > kGamma.most;
  }
  return type;
}

std::string WholeText(double number) {
  return std::to_string(static_cast<int>(number));
}

Error Mistake(std::string_view text, const Screens& screens) {
  return BadInput(std::string(text) + " is not " + std::string(screens.name) +
                  "[-LPI[-ANGLE[-SHAPE[-GAMMA]]]], with LPI in 1 … " +
                  WholeText(kLpi.most) + ", ANGLE in 0 … " +
                  WholeText(kMostAngle) + ", SHAPE in 0 … " +
                  WholeText(screens.most_shape()) + " and GAMMA in 0 … " +
                  WholeText(kMostGamma));
}

// The types without parameters.
std::vector<ForeignType> PlainTypes() {
  std::vector<ForeignType> types;
  for (const ForeignName& name : kType.ForeignNames()) {
    kType.Set(name.ours, types.emplace_back(ForeignType{name.name}).look);
  }
  ForeignType dithering{"dithering"};
  dithering.look.algorithm = Algorithm::kBlueNoise;
  dithering.is_near = true;
  ForeignType foo2zjs = TypeOf(kScreens[1], {.lpi = 150});
  foo2zjs.name = "foo2zjs";
  types.insert(types.end(), {dithering, foo2zjs});
  return types;
}

// What follows a type's name; nothing if `text` is another type.
std::optional<std::string_view> AfterName(std::string_view text,
                                          std::string_view name) {
  if (!text.starts_with(name)) return std::nullopt;
  text.remove_prefix(name.size());
  if (!text.empty() && text.front() != '-') return std::nullopt;
  return text;
}

}  // namespace

std::optional<Result<ForeignType>> ParseForeignType(std::string_view text) {
  const std::string lower = LowerCase(text);
  for (const ForeignType& type : PlainTypes()) {
    const auto rest = AfterName(lower, type.name);
    if (!rest) continue;
    if (rest->empty()) return type;
    return BadInput(std::string(text) + " is not " + std::string(type.name) +
                    ", which has no parameters");
  }
  for (const Screens& screens : kScreens) {
    const auto rest = AfterName(lower, screens.name);
    if (!rest) continue;
    const auto numbers = TakeNumbers(screens, *rest);
    if (!numbers) return Mistake(text, screens);
    return TypeOf(screens, *numbers);
  }
  return std::nullopt;
}

}  // namespace halftoned
