// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PAPPL's options of a job. The settings of jobs are vendor options: IPP
// attributes that are generated from the table of settings. Numbers are
// keywords there, so that "auto" can be a value.

#pragma once

#include <pappl/pappl.h>

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "halftone/look/print_look.h"
#include "printer_app/front/rules/message.h"
#include "printer_app/printers/drivers.h"

namespace halftoned {

// The attributes of a printer's driver, except collections, which PAPPL's
// threads share (job_lock.h).
Ipp DriverAttributesOf(pappl_printer_t* printer);

// A job's vendor options, with the printer's defaults in place of missing ones
// and of "auto".
class VendorOptions {
 public:
  // `options` outlives it.
  VendorOptions(pappl_job_t* job, const pappl_pr_options_t& options);

  // "auto" if neither has it.
  std::string Find(const std::string& name) const;

 private:
  const pappl_pr_options_t& options_;
  const Ipp printer_;
};

// Adds an option to a driver's data and attributes. `name` must stay valid.
// False: PAPPL has no room for it.
bool AddVendorOption(const char* name, const std::string& usual,
                     const std::vector<std::string>& values,
                     pappl_pr_driver_data_t& data, ipp_t* attributes);

// Whether jobs may have this setting. Jobs cannot set the levels: printers
// always have two.
bool IsOption(const PrintSetting& setting);

// "auto" and some numbers, or "auto" and the names of choices. Jobs may use
// other numbers, too.
std::vector<std::string> ListedValues(const PrintSetting& setting);

// Adds the settings of print dialogs to a driver's data and attributes.
void AddDialogOptions(pappl_pr_driver_data_t& data, ipp_t* attributes);
// Adds the other settings, as many as PAPPL has room for.
void AddOtherOptions(pappl_pr_driver_data_t& data, ipp_t* attributes);

// Adds the printer's properties, according to its driver, to its attributes,
// for `halftone show` and `halftone calibrate`.
void AddTechnology(const Driver& driver, ipp_t* attributes);

// How a job's pages are to look. The sources are those of a queue
// (setting_sources.h): the job, or else the printer's defaults; the driver; and
// the current halftoned.conf, where [queue.NAME] applies to the printer.
// Invalid settings are ignored, with a warning in the log.
Result<PrintLook> LookOfJob(pappl_job_t* job, const pappl_pr_options_t& options,
                            const Driver& driver);

// Other threads may read the job's attributes meanwhile.
bool HasAttribute(pappl_job_t* job, const char* name);

struct PrintOptionsDeleter {
  void operator()(pappl_pr_options_t* options) const {
    papplJobDeletePrintOptions(options);
  }
};
using PrintOptions = std::unique_ptr<pappl_pr_options_t, PrintOptionsDeleter>;

// PAPPL's options of a job, with the printer's default resolution if the job
// has neither a resolution nor a quality, as in CUPS. PAPPL 1.3 gives such a
// job the middle one of the driver's resolutions. If a damaged state has a
// paper without a size, the driver's default paper replaces it. pages: 0 if
// unknown. Null if there is not enough memory.
PrintOptions MakePrintOptions(pappl_job_t* job, unsigned pages);

}  // namespace halftoned
