// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/rendering.h"

#include <strings.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

#include "halftone/halftone_type.h"

namespace halftoned {
namespace {

// As PPD files have names: halftonedBlackPoint of black-point.
std::string KeywordOf(std::string_view name) {
  std::string keyword = "halftoned";
  bool is_first = true;
  for (const char c : name) {
    if (c != '-') {
      keyword += is_first ? static_cast<char>(std::toupper(c)) : c;
    }
    is_first = c == '-';
  }
  return keyword;
}

// What a job may also call it.
bool HasShortName(std::string_view name) {
  constexpr std::string_view kShort[] = {"black-point", "dot-gain",
                                         "text-edges", "toner-save"};
  return std::ranges::find(kShort, name) != std::end(kShort);
}

std::string Lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return text;
}

std::optional<int> ParseLevels(const std::string& text) {
  const auto levels = ParseNumber(text, 2, 16);
  return levels && Levels::IsServed(*levels) ? levels : std::nullopt;
}

std::optional<Algorithm> ParseType(const std::string& text) {
  const std::string name = Lower(text);
  // libcupsfilters' name.
  if (name == "error-diffusion") return Algorithm::kFloydSteinberg;
  return AlgorithmNamed(name);
}

std::optional<bool> ParseEdges(const std::string& text) {
  const std::string name = Lower(text);
  if (name == "crisp") return true;
  if (name == "off") return false;
  return std::nullopt;
}

const Kind<int> kLevels{ParseLevels, "2, 4, 8 or 16"};
const Kind<Algorithm> kType{ParseType, std::string("auto, ") + kAlgorithmNames};
const Kind<bool> kEdges{ParseEdges, "crisp or off"};
const Kind<Technology> kTechnology{
    [](const std::string& text) { return TechnologyNamed(Lower(text)); },
    "laser, inkjet or thermal"};

class Resolver {
 public:
  Resolver(Voices& voices, bool is_pwg, const ReadText& read_text)
      : voices_(voices), is_pwg_(is_pwg), read_text_(read_text) {}

  Result<Rendering> Resolve() {
    HALFTONED_TRY_ASSIGN(const auto edges,
                         Said("text-edges", kEdges, &ToneConfig::crisp_edges));
    rendering_.crisp_edges = edges.value_or(true);
    HALFTONED_TRY(ResolveParts());
    HALFTONED_TRY(ResolveTone());
    return rendering_;
  }

 private:
  Result<void> ResolveParts() {
    HALFTONED_TRY_ASSIGN(const int levels, ResolveLevels());
    HalftoneType type;
    HALFTONED_TRY_ASSIGN(type.algorithm, ResolveAlgorithm());
    HALFTONED_TRY(ResolveNumbers(kTypeNumbers, type));
    HALFTONED_TRY_ASSIGN(rendering_.parts,
                         PartsOf(type, levels, rendering_.crisp_edges));
    const auto recipe = Recipe::Make(rendering_.parts);
    if (recipe.ok()) return {};
    // Only of one's levels and another's type.
    voices_.Warn(IgnoredType(recipe.error()));
    type.algorithm.reset();
    HALFTONED_TRY_ASSIGN(rendering_.parts,
                         PartsOf(type, levels, rendering_.crisp_edges));
    return {};
  }

  // A driver takes what its PPD file says, and nothing that anybody wishes.
  bool IsBeforeDriver() const {
    return voices_.queue().Ppd("halftonedOutput") == "cups-raster";
  }

  Result<int> ResolveLevels() {
    const auto of_job = voices_.FromJob("halftone-levels", kLevels);
    HALFTONED_TRY_ASSIGN(const auto of_ppd,
                         voices_.FromPpd("halftonedLevels", kLevels));
    if (IsBeforeDriver()) {
      const int levels = of_ppd.value_or(2);
      if (of_job && *of_job != levels) {
        voices_.Warn(
            "halftone-levels of the job is ignored: the driver takes " +
            std::to_string(levels));
      }
      return levels;
    }
    if (of_job && (!is_pwg_ || *of_job == 2)) return *of_job;
    if (of_job) {
      voices_.Warn("halftone-levels of the job is ignored: PWG raster has 2");
    }
    const auto* configured = voices_.Configured(&ToneConfig::levels);
    const int levels = of_ppd ? *of_ppd : configured ? configured->value : 2;
    if (!is_pwg_ || levels == 2) return levels;
    if (of_ppd) {
      return voices_.InPpd("*halftonedLevels is not 2, as PWG raster needs");
    }
    return BadInput(configured->where +
                    ": PWG raster, which this queue writes, needs 2 levels");
  }

  Result<std::optional<Algorithm>> ResolveAlgorithm() {
    if (const auto type = voices_.FromJob("halftone-type", kType)) return type;
    // Other filters read this keyword too, and know other types.
    const auto of_ppd = voices_.FromPpd("cupsHalftoneType", kType);
    if (!of_ppd.ok()) {
      voices_.Warn("cupsHalftoneType of the PPD file is not known");
    } else if (*of_ppd) {
      return of_ppd;
    }
    const auto* configured = voices_.Configured(&ToneConfig::halftone_type);
    return configured ? std::optional(configured->value) : std::nullopt;
  }

  Result<void> ResolveTone() {
    HALFTONED_TRY(ResolveNumbers(kToneNumbers, rendering_.tone));
    HALFTONED_TRY_ASSIGN(const auto technology,
                         voices_.FromPpd("halftonedTechnology", kTechnology));
    const auto* configured = voices_.Configured(&ToneConfig::technology);
    rendering_.technology = technology   ? *technology
                            : configured ? configured->value
                                         : Technology::kLaser;
    HALFTONED_TRY_ASSIGN(rendering_.measured, ReadCurve());
    const bool job_has_gain = voices_.queue().Job("halftone-dot-gain") ||
                              voices_.queue().Job("dot-gain");
    if (rendering_.measured && job_has_gain) {
      voices_.Warn(
          "dot-gain of the job is ignored: the printer has a measured curve");
    }
    return {};
  }

  template <typename Numbers, typename Owner>
  Result<void> ResolveNumbers(const Numbers& numbers, Owner& owner) {
    for (const NamedNumber<Owner>& number : numbers) {
      const auto parse = [number](const std::string& text) {
        const auto value = ParseNumber(text, number.least, number.most);
        return value && number.Takes(*value) ? value : std::nullopt;
      };
      const Kind<double> kind{parse, number.Range()};
      HALFTONED_TRY_ASSIGN(
          const auto said,
          Said(std::string(number.name), kind, [&](const ToneConfig& tone) {
            const auto found = tone.numbers.find(number.name);
            return found == tone.numbers.end() ? nullptr : &found->second;
          }));
      if (!said) continue;
      owner.*number.member = *said;
      if (number.name == "dot-gain") rendering_.has_dot_gain = true;
    }
    return {};
  }

  // What the first says of a setting who says something.
  template <typename Value, typename Find>
  Result<std::optional<Value>> Said(const std::string& name,
                                    const Kind<Value>& kind, const Find& find) {
    if (const auto value = voices_.FromJob("halftone-" + name, kind)) {
      return value;
    }
    if (HasShortName(name)) {
      if (const auto value = voices_.FromJob(name, kind)) return value;
    }
    HALFTONED_TRY_ASSIGN(const auto of_ppd,
                         voices_.FromPpd(KeywordOf(name), kind));
    if (of_ppd) return of_ppd;
    const auto* configured = voices_.Configured(find);
    return configured ? std::optional(configured->value) : std::nullopt;
  }

  Result<std::optional<ToneCurve>> ReadCurve() {
    if (const auto path = voices_.queue().Ppd("halftonedToneCurve")) {
      if (!path->starts_with('/')) {
        return voices_.InPpd("*halftonedToneCurve is not an absolute path");
      }
      return ReadCurve(
          {*path, "*halftonedToneCurve in " + voices_.queue().ppd_path()});
    }
    const auto* configured = voices_.Configured(&ToneConfig::tone_curve);
    if (!configured) return std::optional<ToneCurve>();
    return ReadCurve(*configured);
  }

  Result<std::optional<ToneCurve>> ReadCurve(const Setting<std::string>& file) {
    HALFTONED_TRY_ASSIGN(const ToneCurve curve,
                         ReadMeasuredCurve(file, read_text_));
    return std::optional(curve);
  }

  Voices& voices_;
  const bool is_pwg_;
  const ReadText& read_text_;
  Rendering rendering_;
};

}  // namespace

Result<Recipe> Rendering::RecipeAt(double dots_per_inch) const {
  Tone wished = tone;
  if (!has_dot_gain) {
    wished.dot_gain = DefaultDotGain(technology, dots_per_inch);
  }
  Recipe::Parts all = parts;
  HALFTONED_TRY_ASSIGN(all.curve, CurveFor(parts, wished, measured));
  return Recipe::Make(all);
}

Result<Rendering> ResolveRendering(Voices& voices, bool is_pwg,
                                   const ReadText& read_text) {
  return Resolver(voices, is_pwg, read_text).Resolve();
}

}  // namespace halftoned
