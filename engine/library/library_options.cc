// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "library/library_options.h"

#include <string>

#include "base/text.h"
#include "halftone/look/halftone_type.h"

namespace halftoned {
namespace {

constexpr std::string_view kBetweenOptions = ", \t\r\n";
constexpr double kMaxDotsPerInch = 19200;
constexpr const PrintSetting& kDotGain = SettingNamed("dot-gain");

// Finds an option by its name, or by the name of its job option.
const PrintSetting* FindOption(std::string_view name) {
  if (name.empty()) return nullptr;
  for (const PrintSetting& setting : kPrintSettings) {
    if (setting.MayBeSetBy(kLibraryOption) &&
        (setting.name == name || setting.job_option == name)) {
      return &setting;
    }
  }
  return nullptr;
}

// Removes the number at the beginning of `text`, and returns it.
std::optional<double> TakeDotsPerInch(std::string_view& text) {
  const auto dots = TakeNumber<double>(text);
  return dots >= 1.0 && dots <= kMaxDotsPerInch ? dots : std::nullopt;
}

// Parses "600", "1200x600" and "600dpi".
std::optional<DotsPerInch> ParseResolution(std::string_view text) {
  if (text.ends_with("dpi")) text.remove_suffix(3);
  const auto across = TakeDotsPerInch(text);
  if (!across) return std::nullopt;
  if (text.empty()) return DotsPerInch{*across, *across};
  if (!text.starts_with('x')) return std::nullopt;
  text.remove_prefix(1);
  const auto down = TakeDotsPerInch(text);
  if (!down || !text.empty()) return std::nullopt;
  return DotsPerInch{*across, *down};
}

// The end of the first option. Digits alone are no option: after a comma they
// belong to its value, which is refused as a whole, since decimals have a
// point.
size_t EndOfOption(std::string_view text) {
  const auto end_from = [&](size_t from) {
    return std::min(text.find_first_of(kBetweenOptions, from), text.size());
  };
  size_t end = end_from(0);
  while (end < text.size() && text[end] == ',') {
    const size_t next = end_from(end + 1);
    const std::string_view after = text.substr(end + 1, next - end - 1);
    if (after.empty() || after.find_first_not_of("0123456789") != after.npos) {
      break;
    }
    end = next;
  }
  return end;
}

// Collects the options; if a name is given twice, the later value wins.
class Options {
 public:
  Result<void> Read(std::string_view text) {
    while (true) {
      const size_t begin = text.find_first_not_of(kBetweenOptions);
      if (begin == text.npos) return {};
      text.remove_prefix(begin);
      const size_t end = EndOfOption(text);
      HALFTONED_TRY(ReadOption(text.substr(0, end)));
      text.remove_prefix(end);
    }
  }

  const Look& look() const { return look_; }

  // The cells of a screen need a resolution.
  DotsPerInch resolution() const { return resolution_.value_or(DotsPerInch()); }

  // The curve to use if there is no `measured` one.
  Result<std::optional<ToneCurve>> Correction(
      const Recipe::Parts& parts,
      const std::optional<ToneCurve>& measured) const {
    if (measured || has_dot_gain_ || !resolution_) return measured;
    HALFTONED_TRY_ASSIGN(
        const ToneCurve typical,
        TypicalCurveFor(parts, look_.technology, resolution_->mean()));
    return std::optional(typical);
  }

 private:
  Result<void> ReadOption(std::string_view option) {
    const size_t equals = option.find('=');
    if (equals == option.npos) {
      return BadInput("option '" + std::string(option) +
                      "' has no value: write name=value");
    }
    const std::string_view name = option.substr(0, equals);
    const std::string_view value = option.substr(equals + 1);
    if (name == "dpi") {
      resolution_ = ParseResolution(value);
      if (resolution_) return {};
      return WrongValue(name, value,
                        "a number from 1 to 19200, such as 600 or 1200x600");
    }
    const PrintSetting* setting = FindOption(name);
    if (!setting) {
      return BadInput("unknown option '" + std::string(name) + "'");
    }
    if (!setting->SetFromCups(value, look_)) {
      return WrongValue(name, value,
                        setting->Values() + setting->HintOn(value));
    }
    if (setting == &kDotGain) has_dot_gain_ = true;
    return {};
  }

  static Error WrongValue(std::string_view name, std::string_view value,
                          const std::string& values) {
    return BadInput("option '" + std::string(name) + "': '" +
                    std::string(value) + "' is not " + values);
  }

  Look look_;
  bool has_dot_gain_ = false;
  std::optional<DotsPerInch> resolution_;
};

}  // namespace

Result<PageRecipe> RecipeOfOptions(std::string_view text,
                                   const std::optional<ToneCurve>& measured) {
  Options options;
  HALFTONED_TRY(options.Read(text));
  const Look& look = options.look();
  HALFTONED_TRY_ASSIGN(
      Recipe::Parts parts,
      PartsOf(look, look.levels, look.has_crisp_edges(), options.resolution()));
  // Before the curve, since its errors would be harder to understand.
  HALFTONED_TRY(Recipe::Make(parts));
  HALFTONED_TRY_ASSIGN(const std::optional<ToneCurve> correction,
                       options.Correction(parts, measured));
  HALFTONED_TRY_ASSIGN(parts.curve, CurveFor(parts, look, correction));
  HALFTONED_TRY_ASSIGN(const Recipe recipe, Recipe::Make(parts));
  return PageRecipe{recipe, look.text_edges};
}

}  // namespace halftoned
