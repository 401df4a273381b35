// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adopt/print/print_target.h"

#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "adopt/print/page_words.h"
#include "adopt/print/sheet_page.h"
#include "adopt/queue/named_queue.h"
#include "calibrate/arguments.h"
#include "calibrate/sheet/sheet_code.h"
#include "config/tone_check.h"
#include "halftone/look/halftone_type.h"

namespace halftoned {
namespace {

// What would move, scale, turn or repeat the page.
constexpr std::pair<const char*, const char*> kPlain[] = {
    {"print-scaling", "none"},
    {"number-up", "1"},
    {"copies", "1"},
    {"sides", "one-sided"},
    {"mirror", "false"}};
constexpr const char* kOptionsLeftOut[] = {
    "fit-to-page",           "fitplot",  "scaling",   "natural-scaling",
    "page-ranges",           "page-set", "landscape", "number-up-layout",
    "orientation-requested", "media",    "PageSize",  "position"};

using Options = std::map<std::string, std::string>;

class EffectiveValues {
 public:
  explicit EffectiveValues(std::vector<EffectiveSetting> settings)
      : settings_(std::move(settings)) {}

  // Empty if the type has no use for it.
  std::string Of(std::string_view name) const {
    for (const EffectiveSetting& setting : settings_) {
      if (setting.setting->name == name) return setting.value;
    }
    return "";
  }

 private:
  const std::vector<EffectiveSetting> settings_;
};

Result<std::string> TypeOf(const std::string& name,
                           const EffectiveValues& values) {
  std::string type = values.Of("halftone-type");
  Look look;
  SettingNamed("halftone-type").Set(type, look);
  HALFTONED_TRY_ASSIGN(const Recipe::Parts parts, PartsOf(look, 2));
  if (ShareOfDotGain(parts) == 0) {
    return BadInput("its halftone-type is " + type +
                    ", which ignores tone curves; to choose another, type: "
                    "halftone set " +
                    name + " halftone-type=fine");
  }
  const std::string size = values.Of("cluster-size");
  if (!size.empty()) type += " " + size;
  const std::string levels = values.Of("levels");
  if (levels != "2") type += ", " + levels + " levels";
  return type;
}

Options OptionsOf(Options options, bool is_second) {
  const Look plain;
  for (const PrintSetting& setting : kPrintSettings) {
    if (!setting.is_of_tone()) continue;
    options.erase(std::string(setting.short_job_option));
    options[std::string(setting.job_option)] = setting.TextOf(plain);
  }
  for (const auto& [name, value] : kPlain) options[name] = value;
  for (const char* name : kOptionsLeftOut) options.erase(name);
  if (is_second) {
    options.erase(std::string(SettingNamed("dot-gain").job_option));
  } else {
    options[std::string(kMeasuredCurveOption)] = "off";
  }
  return options;
}

// A driver may have so many options of its own that PAPPL has no room for ours.
Result<void> CheckMayBePlain(const NamedQueue& queue) {
  for (const PrintSetting& setting : kPrintSettings) {
    const std::string option(setting.job_option);
    if (!setting.is_of_tone() || !queue.is_of_application ||
        queue.options.contains(option)) {
      continue;
    }
    return BadInput("its driver has so many options that jobs cannot contain " +
                    option + ", as the chart requires");
  }
  return {};
}

// "600", "600x300"; empty if the PPD file does not say.
std::string ResolutionOf(const NamedQueue& queue) {
  std::string said = QueueResolution(queue);
  if (said.ends_with("dpi")) said.resize(said.size() - 3);
  SheetResolution tried;
  return SetResolution(said, tried) ? said : "";
}

}  // namespace

Result<QueueOutcome> PrintTarget(const std::string& name, bool is_second,
                                 const std::string& configuration) {
  HALFTONED_TRY_ASSIGN(const NamedQueue queue, FindNamedQueue(name));
  HALFTONED_TRY(CheckMayBePlain(queue));
  HALFTONED_TRY_ASSIGN(const Config config, ReadConfig(configuration));
  HALFTONED_TRY_ASSIGN(auto settings, EffectiveSettings(queue, config));
  const EffectiveValues values(std::move(settings));
  if (is_second && values.Of("tone-curve").empty()) {
    return BadInput(
        "has no measured curve yet; print a chart without --second");
  }
  HALFTONED_TRY_ASSIGN(const std::string type, TypeOf(name, values));
  const std::string known = ResolutionOf(queue);
  SheetResolution resolution;
  SetResolution(known, resolution);
  HALFTONED_TRY_ASSIGN(const SheetPlace place,
                       SheetPlace::On(PaperOf(queue.size)));
  const SheetInfo info = {name, type, known.empty() ? "not known" : known,
                          is_second,
                          place.Size(resolution.across, resolution.down)};
  HALFTONED_TRY_ASSIGN(const auto code, CodeOf(info));
  HALFTONED_TRY_ASSIGN(const std::string page,
                       SheetPage(CalibrationSheet::Marks(code, WordsOf(info)),
                                 queue.size, resolution));
  HALFTONED_TRY_ASSIGN(
      const std::string job,
      PrintDocument(queue, "halftone calibrate",
                    OptionsOf(queue.options, is_second), page));
  return QueueOutcome{
      "prints a calibration chart",
      "scan it in gray at 150 dpi, without corrections, and type: "
      "halftone calibrate " +
          std::string(is_second ? "verify" : "read") + " SCAN",
      job};
}

}  // namespace halftoned
