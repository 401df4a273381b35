// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/job_options.h"

#include <cmath>
#include <string>
#include <vector>

namespace halftoned {
namespace {

std::string DefaultOf(pappl_job_t* job, const char* option) {
  ipp_t* attributes = papplPrinterGetDriverAttributes(papplJobGetPrinter(job));
  const std::string name = std::string(option) + "-default";
  const char* value = ippGetString(
      ippFindAttribute(attributes, name.c_str(), IPP_TAG_ZERO), 0, nullptr);
  const std::string text = value ? value : "auto";
  ippDelete(attributes);
  return text;
}

}  // namespace

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
    data.vendor[data.num_vendor++] = setting.job_option.data();
    const std::string name(setting.job_option);
    ippAddString(attributes, IPP_TAG_PRINTER, IPP_TAG_KEYWORD,
                 (name + "-default").c_str(), nullptr, "auto");
    const std::vector<std::string> values = DialogValues(setting);
    std::vector<const char*> texts;
    texts.reserve(values.size());
    for (const std::string& value : values) texts.push_back(value.c_str());
    ippAddStrings(attributes, IPP_TAG_PRINTER, IPP_TAG_KEYWORD,
                  (name + "-supported").c_str(), static_cast<int>(texts.size()),
                  nullptr, texts.data());
  }
}

PrintLook LookOfJob(pappl_job_t* job, const pappl_pr_options_t& options,
                    const Driver& driver) {
  PrintLook print;
  print.look.technology = driver.technology;
  for (const PrintSetting& setting : kPrintSettings) {
    if (!setting.is_in_dialogs) continue;
    const char* option = setting.job_option.data();
    const char* of_job =
        cupsGetOption(option, options.num_vendor, options.vendor);
    std::string value = of_job ? of_job : "auto";
    if (value == "auto") value = DefaultOf(job, option);
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
