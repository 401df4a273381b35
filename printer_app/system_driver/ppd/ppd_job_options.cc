// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/system_driver/ppd/ppd_job_options.h"

#include <string>
#include <vector>

#include "printer_app/jobs/job_log.h"
#include "printer_app/jobs/print_options.h"

namespace halftoned {

void AddPpdOptions(const DriverPpd& ppd, pappl_pr_driver_data_t& data,
                   ipp_t* attributes) {
  for (const PpdOption& option : ppd.options()) {
    std::vector<std::string> names;
    names.reserve(option.choices.size());
    for (const PpdChoice& each : option.choices) names.push_back(each.name);
    if (!AddVendorOption(option.keyword.c_str(), option.usual, names, data,
                         attributes)) {
      return;
    }
  }
}

PpdChoices ChoicesOfJob(pappl_job_t* job, const pappl_pr_options_t& options,
                        const DriverPpd& ppd) {
  const VendorOptions vendor(job, options);
  PpdChoices choices;
  for (const PpdOption& option : ppd.options()) {
    const std::string name = vendor.Find(option.keyword);
    const PpdChoice* choice = option.Find(name);
    if (!choice && name != "auto") {
      LogJob(job, FrontLog::kWarn,
             option.keyword + " is ignored: it is not " + option.Names());
    }
    if (choice && name != option.usual) {
      choices.emplace_back(option.keyword, choice->choice);
    }
  }
  return choices;
}

}  // namespace halftoned
