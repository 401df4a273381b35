// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of a PPD file as PAPPL's vendor options: IPP attributes with the
// same names as in the file.

#pragma once

#include <pappl/pappl.h>

#include "printer_app/system_driver/driver_ppd.h"

namespace halftoned {

// Adds as many options as PAPPL has room for; the rest keep the file's
// defaults. `ppd` outlives the options.
void AddPpdOptions(const DriverPpd& ppd, pappl_pr_driver_data_t& data,
                   ipp_t* attributes);

// Choices of the job, or else of the printer's defaults, that differ from the
// file's. A value that the file does not have is ignored, with a warning in the
// log.
PpdChoices ChoicesOfJob(pappl_job_t* job, const pappl_pr_options_t& options,
                        const DriverPpd& ppd);

}  // namespace halftoned
