// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adopt/page_words.h"

#include <cstdio>
#include <cstdlib>

#include "adopt/filter_line.h"
#include "adopt/memory_file.h"
#include "adopt/ppd_file.h"
#include "base/text_file.h"
#include "halftone/look/halftone_type.h"
#include "halftone/look/tones/tone.h"
#include "halftone/page/method.h"
#include "print/settings/setting_sources.h"
#include "print/settings/settings.h"

namespace halftoned {
namespace {

constexpr const PrintSetting& kType = SettingNamed("halftone-type");
constexpr const PrintSetting& kClusterSize = SettingNamed("cluster-size");
constexpr const PrintSetting& kDotDiameter = SettingNamed("dot-diameter");
constexpr const PrintSetting& kScreenLpi = SettingNamed("screen-lpi");
constexpr const PrintSetting& kScreenAngle = SettingNamed("screen-angle");
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
  SettingWords(const Settings& settings, const Queue& queue)
      : settings_(settings),
        look_(settings.rendering.look),
        resolution_(ResolutionOf(queue)) {}

  // Only those that this type has a use for.
  std::vector<EffectiveSetting> WithSources(SettingSources sources) const {
    std::vector<EffectiveSetting> all;
    for (const PrintSetting& setting : kPrintSettings) {
      const std::string value = ValueOf(setting);
      if (value.empty()) continue;
      all.push_back({&setting, value, "", false});
      const std::string* where = sources.WhereConfigured(setting);
      Look tried;
      const auto ppd_says = sources.SetByPpd(setting, tried);
      if (sources.SetByJob(setting, tried)) {
        all.back().source = "an option of the queue, by lpoptions or lpadmin";
      } else if (ppd_says.ok() && *ppd_says) {
        all.back().source = "its PPD file, by lpadmin -o " +
                            std::string(setting.keyword) + "=...";
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
    for (const std::string& warning : settings_.warnings) {
      lines.push_back("Warning: " + warning);
    }
    return lines;
  }

 private:
  Algorithm algorithm() const {
    const double dots_per_inch = MeanResolution(resolution_);
    if (look_.algorithm || dots_per_inch <= 0) {
      return settings_.rendering.parts.algorithm;
    }
    return AutomaticType(look_.technology, {dots_per_inch, dots_per_inch});
  }

  // Empty for what this type has no use for.
  std::string ValueOf(const PrintSetting& setting) const {
    if (&setting == &kType) {
      const Method* method = FindMethod(algorithm());
      return method ? std::string(method->name) : "";
    }
    const bool is_of_other_type =
        (&setting == &kClusterSize && algorithm() != Algorithm::kClustered) ||
        (&setting == &kDotDiameter &&
         algorithm() != Algorithm::kPrinterModel) ||
        ((&setting == &kScreenLpi || &setting == &kScreenAngle) &&
         algorithm() != Algorithm::kScreen);
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
    if (dots_per_inch <= 0) return "by the technology and the resolution";
    char text[48];
    std::snprintf(text, sizeof(text),
                  "%.1f, by the technology and the resolution",
                  TypicalDotGain(look_.technology, dots_per_inch));
    return text;
  }

  // Naming the fastest would link all engines, most of what the filter weighs.
  std::string Engine() const {
    if (settings_.engine.value != "auto") return settings_.engine.value;
    const std::string own = "the filter's fastest";
    return settings_.use_of_daemon.use ? "the daemon's, or else " + own : own;
  }

  const Settings& settings_;
  const Look& look_;
  const std::string resolution_;
};

struct ResolvedQueue {
  Queue queue;
  Settings settings;
};

Result<ResolvedQueue> Resolve(const NamedQueue& named, const Config& config) {
  HALFTONED_TRY_ASSIGN(const Descriptor file, MemoryFile(named.ppd));
  HALFTONED_TRY_ASSIGN(
      Queue queue, Queue::Read("/proc/self/fd/" + std::to_string(file.get()),
                               named.options));
  HALFTONED_TRY_ASSIGN(
      Settings settings,
      ResolveSettings(queue, named.name, config, ReadTextFile));
  return ResolvedQueue{std::move(queue), std::move(settings)};
}

}  // namespace

std::string QueueResolution(const NamedQueue& named) {
  const auto file = MemoryFile(named.ppd);
  if (!file.ok()) return "";
  const auto queue = Queue::Read("/proc/self/fd/" + std::to_string(file->get()),
                                 named.options);
  return queue.ok() ? ResolutionOf(*queue) : "";
}

Result<std::vector<EffectiveSetting>> EffectiveSettings(const NamedQueue& named,
                                                        const Config& config) {
  HALFTONED_TRY_ASSIGN(const PpdFile ppd, PpdFile::Parse(named.ppd));
  if (!ppd.PrintsThroughUs()) return std::vector<EffectiveSetting>();
  HALFTONED_TRY_ASSIGN(const ResolvedQueue resolved, Resolve(named, config));
  return SettingWords(resolved.settings, resolved.queue)
      .WithSources(SettingSources(resolved.queue, named.name, config));
}

Result<std::vector<std::string>> LookWords(const NamedQueue& named,
                                           const Config& config) {
  HALFTONED_TRY_ASSIGN(const PpdFile ppd, PpdFile::Parse(named.ppd));
  if (!ppd.PrintsThroughUs()) {
    return BadInput(
        "does not print through rastertohalftone; type: halftone adopt " +
        named.name);
  }
  HALFTONED_TRY_ASSIGN(const ResolvedQueue resolved, Resolve(named, config));
  const Rendering& rendering = resolved.settings.rendering;
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
  const std::string resolution = ResolutionOf(resolved.queue);
  if (!resolution.empty()) words.push_back("resolution=" + resolution);
  return words;
}

Result<std::vector<std::string>> PageWords(const NamedQueue& named,
                                           const Config& config) {
  HALFTONED_TRY_ASSIGN(const PpdFile ppd, PpdFile::Parse(named.ppd));
  std::vector<std::string> words = {
      "halftoned " HALFTONED_VERSION ", page of a check",
      "Queue: " + named.name, "Driver: " + ppd.nick_name()};
  if (!ppd.PrintsThroughUs()) {
    words.emplace_back("This queue does not print through rastertohalftone.");
    return words;
  }
  HALFTONED_TRY_ASSIGN(const ResolvedQueue resolved, Resolve(named, config));
  for (std::string& line :
       SettingWords(resolved.settings, resolved.queue).All()) {
    words.push_back(std::move(line));
  }
  return words;
}

}  // namespace halftoned
