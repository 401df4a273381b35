// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/settings/rendering.h"

#include <algorithm>
#include <string>
#include <vector>

#include "halftone/look/foreign_type.h"
#include "halftone/look/halftone_type.h"

namespace halftoned {
namespace {

constexpr const PrintSetting& kType = SettingNamed("halftone-type");
constexpr const PrintSetting& kLevels = SettingNamed("levels");
constexpr const PrintSetting& kToneCurve = SettingNamed("tone-curve");
constexpr const PrintSetting& kDotGain = SettingNamed("dot-gain");
constexpr const PrintSetting& kBlackPoint = SettingNamed("black-point");

class RenderingResolver {
 public:
  RenderingResolver(SettingSources& sources, bool has_two_levels,
                    const ReadText& read_text)
      : sources_(sources),
        has_two_levels_(has_two_levels),
        read_text_(read_text) {}

  Result<Rendering> Resolve() {
    for (const PrintSetting& setting : kPrintSettings) {
      HALFTONED_TRY(Resolve(setting));
    }
    HALFTONED_TRY(ResolveParts());
    HALFTONED_TRY_ASSIGN(rendering_.measured, ReadCurve());
    const bool job_has_gain = sources_.Job(kDotGain.job_option) ||
                              sources_.Job(kDotGain.short_job_option);
    if (rendering_.measured && job_has_gain) {
      sources_.Warn(
          "dot-gain of the job is ignored: the printer has a measured curve");
    }
    return rendering_;
  }

 private:
  Result<void> Resolve(const PrintSetting& setting) {
    Look& look = rendering_.look;
    if (&setting == &kLevels) return ResolveLevels();
    if (&setting == &kType) return ResolveType();
    if (&setting == &kToneCurve) return {};  // ReadCurve reads it
    if (std::ranges::count(foreign_.settings, &setting) > 0) {
      if (!sources_.SetByJob(setting, look)) setting.Copy(foreign_.look, look);
      return {};
    }
    HALFTONED_TRY_ASSIGN(const bool is_set, sources_.Set(setting, look));
    if (&setting == &kDotGain) rendering_.has_dot_gain = is_set;
    if (&setting == &kBlackPoint) rendering_.has_black_point = is_set;
    return {};
  }

  // Replaces something only if its settings come from different sources.
  Result<void> ResolveParts() {
    std::vector<Replaced> replaced;
    HALFTONED_TRY_ASSIGN(rendering_.parts,
                         PartsOfPrint(rendering_.look, replaced));
    for (const Replaced& each : replaced) sources_.Warn(each.what);
    return {};
  }

  // A driver accepts what its PPD file says, even if a job asks for something
  // else.
  bool IsBeforeDriver() const {
    const std::string output =
        sources_.queue().Ppd("halftonedOutput").value_or("");
    return output == "cups-raster" || output == "cups-raster-black";
  }

  Result<void> ResolveLevels() {
    Look& look = rendering_.look;
    Look of_job;
    const bool job_says = sources_.SetByJob(kLevels, of_job);
    HALFTONED_TRY_ASSIGN(const bool ppd_says, sources_.SetByPpd(kLevels, look));
    if (IsBeforeDriver()) {
      if (job_says && of_job.levels != look.levels) {
        sources_.Warn(
            "halftone-levels of the job is ignored: the driver accepts " +
            std::to_string(look.levels));
      }
      if (!has_two_levels_ || look.levels == 2) return {};
      return sources_.InPpd("*halftonedLevels must be 2 for this driver");
    }
    if (job_says && (!has_two_levels_ || of_job.levels == 2)) {
      kLevels.Copy(of_job, look);
      return {};
    }
    if (job_says) {
      sources_.Warn(
          "halftone-levels of the job is ignored: the printer accepts 2");
    }
    if (!ppd_says) sources_.SetByConfiguration(kLevels, look);
    if (!has_two_levels_ || look.levels == 2) return {};
    if (ppd_says) {
      return sources_.InPpd("*halftonedLevels must be 2 for this output");
    }
    sources_.AddProblem(*sources_.WhereConfigured(kLevels) +
                        ": this queue prints 2 levels");
    look.levels = 2;
    return {};
  }

  // Sets a halftone type of libcupsfilters: false if its parameters are
  // invalid; nothing if `text` is not such a type.
  std::optional<bool> SetForeignType(const std::optional<std::string>& text) {
    const auto foreign = text ? ParseForeignType(*text) : std::nullopt;
    if (!foreign) return std::nullopt;
    if (!foreign->ok()) {
      sources_.Warn("halftone-type is ignored: " + foreign->error().message);
      return false;
    }
    foreign_ = **foreign;
    kType.Copy(foreign_.look, rendering_.look);
    std::string ours = kType.TextOf(foreign_.look);
    for (const PrintSetting* setting : foreign_.settings) {
      ours += ", " + std::string(setting->name) + " " +
              setting->TextOf(foreign_.look);
    }
    sources_.Inform("halftone-type " + std::string(foreign_.name) +
                    " of libcupsfilters means " + ours +
                    (foreign_.is_near ? "; that is the nearest" : ""));
    return true;
  }

  Result<void> ResolveType() {
    Look& look = rendering_.look;
    if (const auto set = SetForeignType(sources_.Job(kType.job_option))) {
      if (*set) return {};
    } else if (sources_.SetByJob(kType, look)) {
      return {};
    }
    // Other filters read this keyword too, and they know other types.
    const std::string keyword(kType.keyword);
    if (const auto set = SetForeignType(sources_.queue().Ppd(keyword))) {
      if (*set) return {};
    } else if (const auto is_set = sources_.SetByPpd(kType, look);
               !is_set.ok()) {
      sources_.Warn("cupsHalftoneType in the PPD file is unknown");
    } else if (*is_set) {
      return {};
    }
    sources_.SetByConfiguration(kType, look);
    return {};
  }

  Result<std::optional<ToneCurve>> ReadCurve() {
    if (sources_.Job(kMeasuredCurveOption) == "off") {
      return std::optional<ToneCurve>();
    }
    Look& look = rendering_.look;
    HALFTONED_TRY_ASSIGN(const bool ppd_says,
                         sources_.SetByPpd(kToneCurve, look));
    if (ppd_says) {
      if (!look.tone_curve.starts_with('/')) {
        return sources_.InPpd("*halftonedToneCurve is not an absolute path");
      }
      return ReadCurve("*halftonedToneCurve in " + sources_.queue().ppd_path());
    }
    if (!sources_.SetByConfiguration(kToneCurve, look)) {
      return std::optional<ToneCurve>();
    }
    auto curve = ReadCurve(*sources_.WhereConfigured(kToneCurve));
    if (curve.ok()) return curve;
    sources_.AddProblem(curve.error().message);
    return std::optional<ToneCurve>();
  }

  Result<std::optional<ToneCurve>> ReadCurve(const std::string& where) {
    HALFTONED_TRY_ASSIGN(
        const ToneCurve curve,
        ReadMeasuredCurve({rendering_.look.tone_curve, where}, read_text_));
    return std::optional(curve);
  }

  SettingSources& sources_;
  const bool has_two_levels_;
  const ReadText& read_text_;
  Rendering rendering_;
  ForeignType foreign_;
};

}  // namespace

Result<Recipe> Rendering::RecipeAt(const DotsPerInch& resolution,
                                   bool is_black_solid) const {
  HALFTONED_TRY_ASSIGN(
      const Recipe::Parts all,
      PartsOf(look, look.levels, look.has_crisp_edges(), resolution));
  return RecipeOfPrint(*this, all, resolution.mean(), is_black_solid);
}

Result<Rendering> ResolveRendering(SettingSources& sources, bool has_two_levels,
                                   const ReadText& read_text) {
  return RenderingResolver(sources, has_two_levels, read_text).Resolve();
}

}  // namespace halftoned
