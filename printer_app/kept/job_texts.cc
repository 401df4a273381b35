// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/kept/job_texts.h"

#include <ctime>
#include <set>
#include <string_view>

#include "halftone/look/settings.h"
#include "printer_app/front/rules/message.h"
#include "printer_app/kept/state_line.h"

namespace halftoned {
namespace {

// Attributes that PAPPL and this program look at, or that clients can ask for,
// besides settings and options of drivers. PAPPL gives no list of a job's
// attributes. It makes the others, such as job-name, anew at each start.
constexpr const char* kNames[] = {
    "client-info",
    "compression-supplied",
    "copies",
    "document-format-detected",
    "document-format-supplied",
    "document-name",
    "document-name-supplied",
    "finishing-template",
    "finishings",
    "finishings-col",
    "ipp-attribute-fidelity",
    "job-hold-until",
    "job-hold-until-time",
    "job-impressions",
    "job-priority",
    "job-sheets",
    "media",
    "media-col",
    "multiple-document-handling",
    "number-up",
    "orientation-requested",
    "output-bin",
    "page-ranges",
    "print-color-mode",
    "print-content-optimize",
    "print-darkness",
    "print-quality",
    "print-rendering-intent",
    "print-scaling",
    "print-speed",
    "printer-resolution",
    "sides",
};

std::string OrEmpty(const char* text) { return text ? text : ""; }

std::set<std::string_view> NamesFor(pappl_printer_t* printer) {
  std::set<std::string_view> names(std::begin(kNames), std::end(kNames));
  for (const PrintSetting& setting : kPrintSettings) {
    if (!setting.job_option.empty()) names.insert(setting.job_option);
  }
  pappl_pr_driver_data_t data;
  if (papplPrinterGetDriverData(printer, &data)) {
    names.insert(data.vendor, data.vendor + data.num_vendor);
  }
  return names;
}

void SetTime(const char* name, time_t time, StateLine& line) {
  if (time) line.Set(name, std::to_string(time));
}

void SetNumber(const char* name, int number, StateLine& line) {
  if (number) line.Set(name, number);
}

}  // namespace

std::string LineOf(pappl_job_t* job) {
  StateLine line;
  line.Set("id", papplJobGetID(job));
  line.Set("name", OrEmpty(papplJobGetName(job)));
  line.Set("username", OrEmpty(papplJobGetUsername(job)));
  if (const char* format = papplJobGetFormat(job)) line.Set("format", format);
  const ipp_jstate_t state = papplJobGetState(job);
  const bool is_over = state >= IPP_JSTATE_CANCELED || papplJobIsCanceled(job);
  const time_t completed = papplJobGetTimeCompleted(job);
  line.Set("state", state < IPP_JSTATE_CANCELED && is_over ? IPP_JSTATE_CANCELED
                                                           : state);
  SetNumber("state_reasons", static_cast<int>(papplJobGetReasons(job)), line);
  SetTime("created", papplJobGetTimeCreated(job), line);
  SetTime("processing", papplJobGetTimeProcessed(job), line);
  if (is_over) {
    SetTime("completed", completed ? completed : std::time(nullptr), line);
  }
  SetNumber("impressions", papplJobGetImpressions(job), line);
  SetNumber("imcompleted", papplJobGetImpressionsCompleted(job), line);
  return "Job" + line.Text();
}

std::string AttributesOf(pappl_job_t* job) {
  const Ipp message(ippNew());
  for (const std::string_view name : NamesFor(papplJobGetPrinter(job))) {
    ipp_attribute_t* attribute =
        papplJobGetAttribute(job, std::string(name).c_str());
    if (attribute) ippCopyAttribute(message.get(), attribute, 0);
  }
  return WriteIpp(message.get());
}

}  // namespace halftoned
