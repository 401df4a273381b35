// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "adopt/adopt_commands.h"
#include "adopt/print/page_words.h"
#include "adopt/queue/named_queue.h"
#include "base/result.h"
#include "calibrate/calibrate_arguments.h"
#include "calibrate/sheet/calibration_sheet.h"
#include "calibrate/sheet/sheet_code.h"
#include "calibrate/sheet/sheet_drawing.h"
#include "config/tone_check.h"
#include "halftone/look/halftone_type.h"
#include "print/page/pdf_file.h"
#include "print/page/test_page.h"

namespace halftoned {
namespace {

constexpr double kPointsOfInch = 72;
constexpr double kPointsOfMillimetre = kPointsOfInch / 25.4;

// One axis of the page, in points from its left or upper edge.
struct Axis {
  double At(double millimeters) const {
    return std::round(millimeters * kPointsOfMillimetre / dot) * dot;
  }
  // The unit of rulings, rounded to whole dots.
  double Unit() const {
    return std::max(1.0, std::round(CalibrationSheet::kUnit *
                                    kPointsOfMillimetre / dot)) *
           dot;
  }

  double dot;
};

// Lines as an image with one sample per unit, in the square from 0 to 1:
// renderers widen filled areas, but not images.
std::string LinesOf(const SheetMark& mark, int count) {
  std::string hex;
  int byte = 0;
  for (int i = 0; i < count; ++i) {
    const bool is_white = i % mark.ruling.period() >= mark.ruling.black;
    char digits[3];
    if (mark.is_lying) {
      hex += is_white ? "80" : "00";  // one row
      continue;
    }
    byte = byte << 1 | (is_white ? 1 : 0);
    if (i % 8 != 7 && i + 1 < count) continue;
    std::snprintf(digits, sizeof(digits), "%02X", byte << (7 - i % 8) & 255);
    hex += digits;
    byte = 0;
  }
  const std::string number = std::to_string(count);
  return "BI /W " + (mark.is_lying ? "1 /H " + number : number + " /H 1") +
         " /CS /G /BPC 1 /F /AHx ID " + hex + "> EI\n";
}

class Drawing {
 public:
  Drawing(const SheetPlace& place, double height,
          const SheetResolution& resolution)
      : place_(place),
        height_(height),
        across_{kPointsOfInch / resolution.across},
        down_{kPointsOfInch / resolution.down} {}

  std::string Draw(const SheetMark& mark) const {
    const double left = across_.At(place_.left + place_.scale * mark.left);
    const double right =
        across_.At(place_.left + place_.scale * (mark.left + mark.width));
    const double top = down_.At(place_.top + place_.scale * mark.top);
    const double bottom =
        down_.At(place_.top + place_.scale * (mark.top + mark.height));
    if (mark.ruling.period() == 0) {
      return PdfNumber(mark.gray / 255.0) + " g " +
             PdfNumbers({left, height_ - bottom, right - left, bottom - top}) +
             "re f\n";
    }
    const double unit = mark.is_lying ? down_.Unit() : across_.Unit();
    const double side = mark.is_lying ? bottom - top : right - left;
    const int count = static_cast<int>(side / unit);
    const double width = mark.is_lying ? right - left : count * unit;
    const double height = mark.is_lying ? count * unit : bottom - top;
    return "q " +
           PdfNumbers({width, 0, 0, height, left, height_ - top - height}) +
           "cm " + LinesOf(mark, count) + "Q\n";
  }

 private:
  const SheetPlace place_;
  const double height_;
  const Axis across_;
  const Axis down_;
};

SheetPaper PaperOf(const PageSize& size) {
  return {size.width / kPointsOfMillimetre, size.height / kPointsOfMillimetre};
}

// A calibration chart as a PDF document, with each edge on an edge of printer
// dots. Rejects pages that are too small.
Result<std::string> SheetPage(const std::vector<SheetMark>& marks,
                              const PageSize& size,
                              const SheetResolution& resolution) {
  HALFTONED_TRY_ASSIGN(const SheetPlace place, SheetPlace::On(PaperOf(size)));
  const Drawing drawing(place, size.height, resolution);
  std::string drawn;
  for (const SheetMark& mark : marks) drawn += drawing.Draw(mark);
  return PdfDocument({"<< /Type /Catalog /Pages 2 0 R >>",
                      "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
                      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 " +
                          PdfNumbers({size.width, size.height}) +
                          "] /Contents 4 0 R /Resources << >> >>",
                      PdfStream("", drawn)});
}

// Options that would move, scale, rotate or repeat the page.
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

  // Empty if the type does not use the setting.
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

// A driver can have so many options that PAPPL has no room for ours.
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
