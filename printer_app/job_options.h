// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The settings of print dialogs as PAPPL's vendor options: attributes of IPP,
// made from the table of settings. A number is a keyword there, so that "auto"
// is one of its values.

#ifndef HALFTONED_PRINTER_APP_JOB_OPTIONS_H_
#define HALFTONED_PRINTER_APP_JOB_OPTIONS_H_

#include <pappl/pappl.h>

#include <string>
#include <vector>

#include "halftone/look/print_look.h"
#include "printer_app/drivers.h"

namespace halftoned {

// What a job says of vendor options; where it says nothing or "auto", what the
// printer's defaults say.
class VendorOptions {
 public:
  // `options` outlives it.
  VendorOptions(pappl_job_t* job, const pappl_pr_options_t& options);
  ~VendorOptions();
  VendorOptions(const VendorOptions&) = delete;
  VendorOptions& operator=(const VendorOptions&) = delete;

  // "auto" if neither says it.
  std::string Find(const std::string& name) const;

 private:
  const pappl_pr_options_t& options_;
  ipp_t* const printer_;
};

// Adds an option to a driver's data and attributes. The name stays. False:
// PAPPL has no room for it.
bool AddVendorOption(const char* name, const std::string& usual,
                     const std::vector<std::string>& values,
                     pappl_pr_driver_data_t& data, ipp_t* attributes);

// "auto" and steps of 5 or 10, or "auto" and the names of choices.
std::vector<std::string> DialogValues(const PrintSetting& setting);

// Adds the settings to a driver's data and attributes.
void AddVendorOptions(pappl_pr_driver_data_t& data, ipp_t* attributes);

// The settings of a job. A value that is not allowed is ignored, with a warning
// in the log.
PrintLook LookOfJob(pappl_job_t* job, const pappl_pr_options_t& options,
                    const Driver& driver);

}  // namespace halftoned

#endif  // HALFTONED_PRINTER_APP_JOB_OPTIONS_H_
