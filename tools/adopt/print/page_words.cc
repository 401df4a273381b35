// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adopt/print/page_words.h"

#include <cstdio>
#include <cstdlib>

#include "base/text_file.h"
#include "halftone/look/halftone_type.h"
#include "halftone/look/tones/tone.h"
#include "halftone/page/method.h"
#include "print/settings/job_settings.h"
#include "print/settings/setting_sources.h"

namespace halftoned {
namespace {

constexpr const PrintSetting& kType = SettingNamed("halftone-type");
constexpr const PrintSetting& kClusterSize = SettingNamed("cluster-size");
constexpr const PrintSetting& kPrintFeedback = SettingNamed("print-feedback");
constexpr const PrintSetting& kScreenLpi = SettingNamed("screen-lpi");
constexpr const PrintSetting& kScreenAngle = SettingNamed("screen-angle");
constexpr const PrintSetting& kScreenShape = SettingNamed("screen-shape");
constexpr const PrintSetting& kMinRun = SettingNamed("min-run");
constexpr const PrintSetting& kToneCurve = SettingNamed("tone-curve");
constexpr const PrintSetting& kDotGain = SettingNamed("dot-gain");
constexpr const PrintSetting& kBlackPoint = SettingNamed("black-point");

// The mean of both directions of "600dpi" or "600x300dpi"; 0 if it is neither.
double MeanResolution(const std::string& resolution) {
  char* end = nullptr;
  const double x = std::strtod(resolution.c_str(), &end);
  if (*end != 'x') return x;
  return (x + std::strtod(end + 1, nullptr)) / 2;
}

std::string ResolutionOf(const Queue& queue) {
  const std::string resolution = queue.Ppd("Resolution").value_or("");
  return resolution.empty() ? queue.Ppd("DefaultResolution").value_or("")
                            : resolution;
}

class SettingWords {
 public:
  SettingWords(const Settings& settings, const NamedQueue& named)
      : settings_(settings),
        look_(settings.rendering.look),
        named_(named),
        resolution_(ResolutionOf(named.queue)) {}

  // Only settings that this type uses.
  std::vector<EffectiveSetting> WithSources(const Config& config) const {
    SettingSources sources(named_.queue, named_.name, config);
    std::vector<EffectiveSetting> all;
    for (const PrintSetting& setting : kPrintSettings) {
      const std::string value = ValueOf(setting);
      if (value.empty()) continue;
      all.push_back({&setting, value, "", false});
      const std::string* where = sources.WhereConfigured(setting);
      Look tried;
      const auto ppd_says = sources.SetByPpd(setting, tried);
      if (sources.SetByJob(setting, tried)) {
        all.back().source = SourceOfOption(setting);
      } else if (ppd_says.ok() && *ppd_says) {
        all.back().source = SourceOfDriver(setting);
      } else {
        all.back().source = where ? *where : "the default";
        all.back().is_of_conf = where != nullptr;
      }
    }
    return all;
  }

  std::vector<std::string> All() const {
    std::vector<std::string> lines;
    lines.push_back("Resolution: " +
                    (resolution_.empty() ? "not known" : resolution_));
    for (const PrintSetting& setting : kPrintSettings) {
      const std::string value = ValueOf(setting);
      if (!value.empty()) {
        lines.push_back(std::string(setting.name) + ": " + value);
      }
    }
    lines.push_back("engine: " + Engine());
    for (const std::string& note : settings_.notes) lines.push_back(note);
    for (const std::string& warning : settings_.warnings) {
      lines.push_back("Warning: " + warning);
    }
    return lines;
  }

 private:
  std::string SourceOfOption(const PrintSetting& setting) const {
    if (!named_.is_of_application) {
      return "an option of the queue, by lpoptions or lpadmin";
    }
    return "the printer's default, by halftone-printer-app modify -o " +
           std::string(setting.job_option) + "=...";
  }
  std::string SourceOfDriver(const PrintSetting& setting) const {
    if (named_.is_of_application) return "its driver";
    return "its PPD file, by lpadmin -o " + std::string(setting.keyword) +
           "=...";
  }

  Algorithm algorithm() const {
    const double dots_per_inch = MeanResolution(resolution_);
    if (look_.algorithm || dots_per_inch <= 0) {
      return settings_.rendering.parts.algorithm;
    }
    return AutomaticType(look_, {dots_per_inch, dots_per_inch});
  }

  // Empty if this type does not use the setting.
  std::string ValueOf(const PrintSetting& setting) const {
    if (&setting == &kType) {
      const Method* method = FindMethod(algorithm());
      return method ? std::string(method->name) : "";
    }
    const bool is_of_other_type =
        (&setting == &kClusterSize && algorithm() != Algorithm::kClustered) ||
        ((&setting == &kScreenLpi || &setting == &kScreenAngle ||
          &setting == &kScreenShape) &&
         algorithm() != Algorithm::kScreen) ||
        (&setting == &kPrintFeedback && algorithm() != Algorithm::kFine) ||
        (&setting == &kMinRun && look_.min_run == 1);
    if (is_of_other_type) return "";
    if (&setting == &kToneCurve && !settings_.rendering.measured) return "";
    if (&setting == &kDotGain) return DotGain();
    if (&setting == &kBlackPoint && !settings_.rendering.has_black_point) {
      return "0, or " + kBlackPoint.TextOf(look_) +
             " for pages of other renderers";
    }
    return setting.TextOf(look_);
  }

  std::string DotGain() const {
    if (settings_.rendering.measured) return "";
    if (settings_.rendering.has_dot_gain) return kDotGain.TextOf(look_);
    const double dots_per_inch = MeanResolution(resolution_);
    if (dots_per_inch <= 0) return "from technology and resolution";
    char text[48];
    std::snprintf(text, sizeof(text), "%.1f, from technology and resolution",
                  TypicalDotGain(look_.technology, dots_per_inch));
    return text;
  }

  // Naming the fastest engine would link all engines, which are most of the
  // filter's size.
  std::string Engine() const {
    if (settings_.engine.value != "auto") return settings_.engine.value;
    const std::string own = "the filter's fastest";
    return settings_.use_of_daemon.use ? "the daemon's, or else " + own : own;
  }

  const Settings& settings_;
  const Look& look_;
  const NamedQueue& named_;
  const std::string resolution_;
};

Result<Settings> Resolve(const NamedQueue& named, const Config& config) {
  if (!named.prints_through_us) {
    return BadInput(
        "does not print through rastertohalftone; type: halftone adopt " +
        named.name);
  }
  return ResolveSettings(named.queue, named.name, config, ReadTextFile);
}

}  // namespace

std::string QueueResolution(const NamedQueue& named) {
  return ResolutionOf(named.queue);
}

Result<std::vector<EffectiveSetting>> EffectiveSettings(const NamedQueue& named,
                                                        const Config& config) {
  HALFTONED_TRY_ASSIGN(const Settings settings, Resolve(named, config));
  return SettingWords(settings, named).WithSources(config);
}

Result<std::vector<std::string>> LookWords(const NamedQueue& named,
                                           const Config& config) {
  HALFTONED_TRY_ASSIGN(const Settings settings, Resolve(named, config));
  const Rendering& rendering = settings.rendering;
  std::vector<std::string> words;
  for (const PrintSetting& setting : kPrintSettings) {
    const bool is_unset =
        (&setting == &kDotGain && !rendering.has_dot_gain) ||
        (&setting == &kBlackPoint && !rendering.has_black_point) ||
        (&setting == &kToneCurve && !rendering.measured);
    if (is_unset) continue;
    words.push_back(std::string(setting.name) + "=" +
                    setting.TextOf(rendering.look));
  }
  const std::string resolution = ResolutionOf(named.queue);
  if (!resolution.empty()) words.push_back("resolution=" + resolution);
  return words;
}

Result<std::vector<std::string>> PageWords(const NamedQueue& named,
                                           const Config& config) {
  std::vector<std::string> words = {
      "halftoned " HALFTONED_VERSION ", check page", "Queue: " + named.name,
      "Driver: " + named.driver};
  if (!named.prints_through_us) {
    words.emplace_back("This queue does not print through rastertohalftone.");
    return words;
  }
  HALFTONED_TRY_ASSIGN(const Settings settings, Resolve(named, config));
  for (std::string& line : SettingWords(settings, named).All()) {
    words.push_back(std::move(line));
  }
  return words;
}

}  // namespace halftoned
