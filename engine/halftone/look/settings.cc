// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/settings.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <type_traits>

#include "base/text.h"
#include "halftone/page/levels.h"
#include "halftone/page/method.h"

namespace halftoned {
namespace {

constexpr Choice kEdges[] = {
    {"off", static_cast<int>(TextEdges::kOff)},
    {"crisp", static_cast<int>(TextEdges::kCrisp)},
    {"soft", static_cast<int>(TextEdges::kSoft)},
    {"barcode", static_cast<int>(TextEdges::kBarcode)},
};

constexpr Choice kTechnologies[] = {
    {"laser", static_cast<int>(Technology::kLaser)},
    {"inkjet", static_cast<int>(Technology::kInkjet)},
    {"thermal", static_cast<int>(Technology::kThermal)},
};

constexpr Choice kShapes[] = {
    {"round", DotShape::kRound},
    {"ellipse", DotShape::kEllipse},
    {"line", DotShape::kLine},
    {"diamond", DotShape::kDiamond},
};
static_assert(std::size(kShapes) == DotShape::kOutlines);

constexpr Choice kAims[] = {
    {"display", static_cast<int>(ToneAim::kDisplay)},
    {"linear", static_cast<int>(ToneAim::kLinear)},
};

constexpr Choice kLevelCounts[] = {{"2", 2}, {"4", 4}, {"8", 8}, {"16", 16}};
static_assert(std::ranges::all_of(kLevelCounts, Levels::IsServed,
                                  &Choice::value));

constexpr std::string_view kAuto = "auto";

// Names of libcupsfilters; its bi-level and auto have the same names as ours.
constexpr ForeignName kForeignTypes[] = {
    {"error-diffusion", "floyd-steinberg"},
    {"stochastic", "fine"},
    {"true", "fine"},
    {"on", "fine"},
    {"yes", "fine"},
};

std::vector<Choice> Types() {
  std::vector<Choice> types;
  for (const Method& method : Methods()) {
    types.push_back({method.name, static_cast<int>(method.id.algorithm),
                     method.is_in_dialogs});
  }
  return types;
}

// The shortest text of a number.
std::string ShortText(double value) {
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof(text), value);
  return {text, end};
}

std::optional<double> NumberOf(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  return ParseNumber<double>(text);
}

bool IsInRange(const PrintSetting& setting, double value) {
  return value >= setting.least && value <= setting.most &&
         (!setting.is_whole || value == std::floor(value));
}

// The setting's member of `look` becomes that choice.
void SetChoice(const PrintSetting& setting, int value, Look& look) {
  std::visit(
      [&](const auto member) {
        using Value = std::remove_reference_t<decltype(look.*member)>;
        if constexpr (std::is_same_v<Value, std::optional<Algorithm>>) {
          look.*member = static_cast<Algorithm>(value);
        } else if constexpr (!std::is_same_v<Value, std::string>) {
          look.*member = static_cast<Value>(value);
        }
      },
      setting.member);
}

}  // namespace

std::vector<Choice> PrintSetting::Choices() const {
  if (has_auto()) return Types();
  const auto listed = [](const auto& choices) {
    return std::vector<Choice>(std::begin(choices), std::end(choices));
  };
  if (is_choice_of_numbers()) return listed(kLevelCounts);
  if (std::holds_alternative<TextEdges Look::*>(member)) return listed(kEdges);
  if (std::holds_alternative<Technology Look::*>(member)) {
    return listed(kTechnologies);
  }
  if (std::holds_alternative<ToneAim Look::*>(member)) return listed(kAims);
  if (std::holds_alternative<DotShape::Outline Look::*>(member)) {
    return listed(kShapes);
  }
  return {};
}

std::span<const ForeignName> PrintSetting::ForeignNames() const {
  if (has_auto()) return kForeignTypes;
  return {};
}

std::string PrintSetting::Values(std::string_view quote) const {
  if (is_file()) return "the name of a file";
  if (is_number()) {
    return std::string(is_whole ? "a whole" : "a") + " number from " +
           ShortText(least) + " to " + ShortText(most);
  }
  std::vector<std::string_view> names;
  if (has_auto()) names.push_back(kAuto);
  const std::vector<Choice> choices = Choices();
  for (const Choice& choice : choices) names.push_back(choice.name);
  return Listed(names, is_choice_of_numbers() ? "" : quote);
}

std::string PrintSetting::HintOn(std::string_view text) const {
  if (is_number()) {
    return text.find(',') == text.npos ? "" : ", with a point for decimals";
  }
  if (is_choice_of_numbers()) return "";
  std::vector<std::string_view> names;
  for (const Choice& choice : Choices()) names.push_back(choice.name);
  std::string_view meant = NearestOf(text, names);
  for (const ForeignName& foreign : ForeignNames()) {
    if (foreign.name == LowerCase(text)) meant = foreign.ours;
  }
  if (meant.empty()) return "";
  return "; did you mean '" + std::string(meant) + "'?";
}

bool PrintSetting::Set(std::string_view text, Look& look) const {
  if (const auto* file = std::get_if<std::string Look::*>(&member)) {
    if (text.empty()) return false;
    look.** file = text;
    return true;
  }
  if (is_number()) {
    const auto value = NumberOf(text);
    return value && Set(*value, look);
  }
  if (has_auto() && text == kAuto) {
    look.*std::get<std::optional<Algorithm> Look::*>(member) = std::nullopt;
    return true;
  }
  const std::vector<Choice> choices = Choices();
  const auto chosen = std::ranges::find(choices, text, &Choice::name);
  if (chosen == choices.end()) return false;
  SetChoice(*this, chosen->value, look);
  return true;
}

bool PrintSetting::is_of_tone() const {
  const Look look;
  const Tone* const tone = &look;
  return std::visit(
      [&](auto pointer) {
        const void* const at = &(look.*pointer);
        return at >= tone && at < tone + 1;
      },
      member);
}

bool PrintSetting::Set(double value, Look& look) const {
  if (const auto* number = std::get_if<double Look::*>(&member)) {
    if (!IsInRange(*this, value)) return false;
    look.** number = value;
    return true;
  }
  return is_choice_of_numbers() && Set(ShortText(value), look);
}

bool PrintSetting::SetFromCups(std::string_view text, Look& look) const {
  if (is_file()) return Set(text, look);
  const std::string lower = LowerCase(text);
  const auto names = ForeignNames();
  const auto known = std::ranges::find(names, lower, &ForeignName::name);
  return Set(known == names.end() ? std::string_view(lower) : known->ours,
             look);
}

void PrintSetting::Copy(const Look& from, Look& to) const {
  std::visit([&](const auto which) { to.*which = from.*which; }, member);
}

std::string PrintSetting::TextOf(const Look& look) const {
  if (const auto* number = std::get_if<double Look::*>(&member)) {
    return ShortText(look.**number);
  }
  if (const auto* file = std::get_if<std::string Look::*>(&member)) {
    return look.**file;
  }
  for (const Choice& choice : Choices()) {
    Look chosen = look;
    SetChoice(*this, choice.value, chosen);
    const bool is_same = std::visit(
        [&](const auto which) { return chosen.*which == look.*which; }, member);
    if (is_same) return std::string(choice.name);
  }
  return std::string(kAuto);
}

const PrintSetting* FindSetting(std::string_view name) {
  const auto* found =
      std::ranges::find(kPrintSettings, name, &PrintSetting::name);
  return found == std::end(kPrintSettings) ? nullptr : found;
}

std::string Listed(const std::vector<std::string_view>& names,
                   std::string_view quote) {
  std::string list;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) list += i + 1 < names.size() ? ", " : " or ";
    list.append(quote).append(names[i]).append(quote);
  }
  return list;
}

Result<void> CheckNumbers(const Look& look) {
  for (const PrintSetting& setting : kPrintSettings) {
    const auto* number = std::get_if<double Look::*>(&setting.member);
    if (number && !IsInRange(setting, look.**number)) {
      return BadInput(std::string(setting.name) + " is not " +
                      setting.Values());
    }
  }
  return {};
}

}  // namespace halftoned
