// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/jobs/print_options.h"

#include <cups/raster.h>

#include <cmath>
#include <cstdio>
#include <string_view>

#include "base/descriptor.h"
#include "base/text_file.h"
#include "config/config.h"
#include "config/tone_check.h"
#include "print/ppd/queue.h"
#include "print/settings/rendering.h"
#include "print/settings/setting_sources.h"
#include "printer_app/application.h"
#include "printer_app/handover/job_lock.h"
#include "printer_app/jobs/job_log.h"
#include "printer_app/printers/printer_data.h"

namespace halftoned {
namespace {

constexpr const PrintSetting& kLevelsSetting = SettingNamed("levels");
constexpr const PrintSetting& kTechnology = SettingNamed("technology");

// The step between two numbers of a list.
double StepOf(const PrintSetting& setting) {
  const double range = setting.most - setting.least;
  return range > 100        ? 10
         : range > 30       ? 5
         : setting.is_whole ? 1
         : range > 1        ? 0.5
                            : 0.1;
}

void AddOptions(bool of_dialogs, pappl_pr_driver_data_t& data,
                ipp_t* attributes) {
  for (const PrintSetting& setting : kPrintSettings) {
    if (!IsOption(setting) || setting.is_in_dialogs != of_dialogs) continue;
    // The names in the table are literals, so they end with a null.
    AddVendorOption(setting.job_option.data(), "auto", ListedValues(setting),
                    data, attributes);
  }
}

// Empty if the driver does not state it.
std::string TechnologyOf(const Driver& driver) {
  if (!driver.technology) return "";
  Look look;
  look.technology = *driver.technology;
  return kTechnology.TextOf(look);
}

// The values that a PPD file would have.
Queue::Values ValuesOf(const Driver& driver) {
  const std::string technology = TechnologyOf(driver);
  if (technology.empty()) return {};
  return {{std::string(kTechnology.keyword), technology}};
}

Queue::Values OptionsOfJob(pappl_job_t* job,
                           const pappl_pr_options_t& options) {
  const VendorOptions vendor(job, options);
  Queue::Values values;
  for (const PrintSetting& setting : kPrintSettings) {
    const std::string name(setting.job_option);
    if (IsOption(setting)) values[name] = vendor.Find(name);
  }
  const std::string curve(kMeasuredCurveOption);
  values[curve] = vendor.Find(curve);
  return values;
}

bool Says(pappl_job_t* job, const char* name) {
  return papplJobGetAttribute(job, name) != nullptr;
}

void SetResolution(int x, int y, pappl_pr_options_t& options) {
  const cups_page_header2_t before = options.header;
  const char* sides = !before.Duplex  ? "one-sided"
                      : before.Tumble ? "two-sided-short-edge"
                                      : "two-sided-long-edge";
  options.printer_resolution[0] = x;
  options.printer_resolution[1] = y;
  // Printers take no other raster, and do not state the orientation of backs.
  cupsRasterInitPWGHeader(&options.header,
                          pwgMediaForPWG(options.media.size_name), "sgray_8", x,
                          y, sides, nullptr);
  options.header.cupsInteger[CUPS_RASTER_PWG_TotalPageCount] =
      before.cupsInteger[CUPS_RASTER_PWG_TotalPageCount];
}

bool HasSize(const pappl_media_col_t& paper) {
  return paper.size_width > 0 && paper.size_length > 0 &&
         pwgMediaForPWG(paper.size_name);
}

Descriptor LockCopiesOf(pappl_printer_t* printer) {
  pappl_pr_driver_data_t data;
  if (!papplPrinterGetDriverData(printer, &data)) return {};
  return LockCopies(
      static_cast<const PrinterDriver*>(data.extension)->application.turn_file);
}

}  // namespace

bool HasAttribute(pappl_job_t* job, const char* name) {
  const Descriptor lock = LockCopiesOf(papplJobGetPrinter(job));
  return Says(job, name);
}

Ipp DriverAttributesOf(pappl_printer_t* printer) {
  const Descriptor lock = LockCopiesOf(printer);
  const Ipp all(papplPrinterGetDriverAttributes(printer));
  Ipp own(ippNew());
  for (ipp_attribute_t* each = ippFirstAttribute(all.get()); each;
       each = ippNextAttribute(all.get())) {
    if (ippGetValueTag(each) == IPP_TAG_BEGIN_COLLECTION) continue;
    ippCopyAttribute(own.get(), each, 0);
  }
  return own;
}

VendorOptions::VendorOptions(pappl_job_t* job,
                             const pappl_pr_options_t& options)
    : options_(options),
      printer_(DriverAttributesOf(papplJobGetPrinter(job))) {}

std::string VendorOptions::Find(const std::string& name) const {
  const char* of_job =
      cupsGetOption(name.c_str(), options_.num_vendor, options_.vendor);
  if (of_job && std::string_view(of_job) != "auto") return of_job;
  const char* usual =
      ippGetString(ippFindAttribute(printer_.get(), (name + "-default").c_str(),
                                    IPP_TAG_ZERO),
                   0, nullptr);
  return usual ? usual : "auto";
}

bool AddVendorOption(const char* name, const std::string& usual,
                     const std::vector<std::string>& values,
                     pappl_pr_driver_data_t& data, ipp_t* attributes) {
  if (data.num_vendor == PAPPL_MAX_VENDOR) return false;
  data.vendor[data.num_vendor++] = name;
  ippAddString(attributes, IPP_TAG_PRINTER, IPP_TAG_KEYWORD,
               (std::string(name) + "-default").c_str(), nullptr,
               usual.c_str());
  std::vector<const char*> texts;
  texts.reserve(values.size());
  for (const std::string& value : values) texts.push_back(value.c_str());
  ippAddStrings(attributes, IPP_TAG_PRINTER, IPP_TAG_KEYWORD,
                (std::string(name) + "-supported").c_str(),
                static_cast<int>(texts.size()), nullptr, texts.data());
  return true;
}

bool IsOption(const PrintSetting& setting) {
  return !setting.job_option.empty() && &setting != &kLevelsSetting;
}

std::vector<std::string> ListedValues(const PrintSetting& setting) {
  std::vector<std::string> values{"auto"};
  if (setting.is_number()) {
    const double step = StepOf(setting);
    const int last = static_cast<int>(std::floor(setting.most / step));
    for (int i = static_cast<int>(std::ceil(setting.least / step)); i <= last;
         ++i) {
      char text[32];
      std::snprintf(text, sizeof(text), "%g", i * step);
      values.emplace_back(text);
    }
  } else {
    for (const Choice& choice : setting.Choices()) {
      if (choice.is_in_dialogs) values.emplace_back(choice.name);
    }
  }
  return values;
}

void AddDialogOptions(pappl_pr_driver_data_t& data, ipp_t* attributes) {
  AddOptions(true, data, attributes);
}

void AddOtherOptions(pappl_pr_driver_data_t& data, ipp_t* attributes) {
  AddVendorOption(kMeasuredCurveOption.data(), "auto", {"auto", "off"}, data,
                  attributes);
  AddOptions(false, data, attributes);
}

void AddTechnology(const Driver& driver, ipp_t* attributes) {
  const std::string technology = TechnologyOf(driver);
  if (technology.empty()) return;
  ippAddString(attributes, IPP_TAG_PRINTER, IPP_TAG_KEYWORD,
               "halftone-technology", nullptr, technology.c_str());
}

Result<PrintLook> LookOfJob(pappl_job_t* job, const pappl_pr_options_t& options,
                            const Driver& driver) {
  const Queue queue = Queue::FromValues(
      ValuesOf(driver), OptionsOfJob(job, options), driver.name);
  const CheckedConfig checked = ReadWhatIsRight(ConfPath());
  SettingSources sources(queue, papplPrinterGetName(papplJobGetPrinter(job)),
                         checked.config);
  HALFTONED_TRY_ASSIGN(PrintLook look,
                       ResolveRendering(sources, true, ReadTextFile));
  for (const std::string& note : sources.notes()) {
    LogJob(job, FrontLog::kInfo, note);
  }
  for (const auto& lines :
       {checked.problems, sources.problems(), sources.warnings()}) {
    for (const std::string& line : lines) {
      LogJob(job, FrontLog::kWarn, line);
    }
  }
  return look;
}

PrintOptions MakePrintOptions(pappl_job_t* job, unsigned pages) {
  // PAPPL reads the job's attributes from positions in them, too.
  const Descriptor lock = LockCopiesOf(papplJobGetPrinter(job));
  PrintOptions options(papplJobCreatePrintOptions(job, pages, false));
  pappl_pr_driver_data_t data;
  if (!options || !papplPrinterGetDriverData(papplJobGetPrinter(job), &data)) {
    return options;
  }
  const bool has_size = HasSize(options->media);
  if (!has_size) {
    options->media =
        UsualPaper(static_cast<const PrinterDriver*>(data.extension)->driver);
  }
  const bool is_usual = options->print_quality == IPP_QUALITY_NORMAL &&
                        !Says(job, "print-quality") &&
                        !Says(job, "printer-resolution") &&
                        data.x_default != options->printer_resolution[0];
  if (is_usual) {
    SetResolution(data.x_default, data.y_default, *options);
  } else if (!has_size) {
    SetResolution(options->printer_resolution[0],
                  options->printer_resolution[1], *options);
  }
  return options;
}

}  // namespace halftoned
