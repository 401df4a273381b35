// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/job_options.h"

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace halftoned {
VendorOptions::VendorOptions(pappl_job_t* job,
                             const pappl_pr_options_t& options)
    : options_(options),
      printer_(papplPrinterGetDriverAttributes(papplJobGetPrinter(job))) {}

VendorOptions::~VendorOptions() { ippDelete(printer_); }

std::string VendorOptions::Find(const std::string& name) const {
  const char* of_job =
      cupsGetOption(name.c_str(), options_.num_vendor, options_.vendor);
  if (of_job && std::string_view(of_job) != "auto") return of_job;
  const char* usual = ippGetString(
      ippFindAttribute(printer_, (name + "-default").c_str(), IPP_TAG_ZERO), 0,
      nullptr);
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

std::vector<std::string> DialogValues(const PrintSetting& setting) {
  std::vector<std::string> values{"auto"};
  if (setting.is_number()) {
    const int step = setting.most - setting.least > 100 ? 10 : 5;
    const int most = static_cast<int>(setting.most);
    for (int value = static_cast<int>(setting.least); value <= most;
         value += step) {
      values.push_back(std::to_string(value));
    }
  } else {
    for (const Choice& choice : setting.Choices()) {
      values.emplace_back(choice.name);
    }
  }
  return values;
}

void AddVendorOptions(pappl_pr_driver_data_t& data, ipp_t* attributes) {
  for (const PrintSetting& setting : kPrintSettings) {
    if (!setting.is_in_dialogs) continue;
    // The names in the table are literals, which end with a zero.
    AddVendorOption(setting.job_option.data(), "auto", DialogValues(setting),
                    data, attributes);
  }
}

PrintLook LookOfJob(pappl_job_t* job, const pappl_pr_options_t& options,
                    const Driver& driver) {
  PrintLook print;
  print.look.technology = driver.technology;
  const VendorOptions vendor(job, options);
  for (const PrintSetting& setting : kPrintSettings) {
    if (!setting.is_in_dialogs) continue;
    const char* option = setting.job_option.data();
    const std::string value = vendor.Find(option);
    if (value == "auto") continue;
    if (!setting.SetFromCups(value, print.look)) {
      papplLogJob(job, PAPPL_LOGLEVEL_WARN, "%s is ignored: it is not %s",
                  option, setting.Values().c_str());
      continue;
    }
    if (setting.name == "dot-gain") print.has_dot_gain = true;
  }
  return print;
}

}  // namespace halftoned
