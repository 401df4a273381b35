// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PAPPL's options of a job. The settings of jobs are vendor options: attributes
// of IPP, made from the table of settings. A number is a keyword there, so that
// "auto" is one of its values.

#pragma once

#include <pappl/pappl.h>

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "halftone/look/print_look.h"
#include "printer_app/printers/drivers.h"

namespace halftoned {

// A job's vendor options, with the printer's defaults in place of missing ones
// and of "auto".
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

// Whether jobs may have it. Printers have two levels, whatever jobs ask for.
bool IsOption(const PrintSetting& setting);

// "auto" and some numbers, or "auto" and the names of choices. A job may say
// other numbers.
std::vector<std::string> ListedValues(const PrintSetting& setting);

// Adds the settings of print dialogs to a driver's data and attributes.
void AddDialogOptions(pappl_pr_driver_data_t& data, ipp_t* attributes);
// Adds the other settings, as many as PAPPL has room for.
void AddOtherOptions(pappl_pr_driver_data_t& data, ipp_t* attributes);

// Adds the driver's properties of the printer to its attributes, for `halftone
// show` and `halftone calibrate`.
void AddTechnology(const Driver& driver, ipp_t* attributes);

// How a job's pages are to look, from the sources of settings of a queue
// (setting_sources.h): the job, or else the printer's defaults; the driver; and
// halftoned.conf as it is now, where [queue.NAME] is the printer's. Wrong
// settings are left out, with a warning in the log.
Result<PrintLook> LookOfJob(pappl_job_t* job, const pappl_pr_options_t& options,
                            const Driver& driver);

struct PrintOptionsDeleter {
  void operator()(pappl_pr_options_t* options) const {
    papplJobDeletePrintOptions(options);
  }
};
using PrintOptions = std::unique_ptr<pappl_pr_options_t, PrintOptionsDeleter>;

// PAPPL's options of a job, with the printer's default resolution if the job
// has neither a resolution nor a quality, as in CUPS. PAPPL 1.3 gives such a
// job the middle one of the driver's resolutions. A paper without a size, of a
// damaged state, becomes the driver's usual one. pages: 0 if it is not known.
// Null if there is not enough memory.
PrintOptions MakePrintOptions(pappl_job_t* job, unsigned pages);

}  // namespace halftoned
