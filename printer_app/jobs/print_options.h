// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PAPPL's options of a job, with the printer's default resolution if the job
// has neither a resolution nor a quality, as in CUPS. PAPPL 1.3 gives such a
// job the middle one of the driver's resolutions. A paper without a size, of a
// damaged state, becomes the driver's usual one.

#pragma once

#include <pappl/pappl.h>

#include <memory>

namespace halftoned {

struct PrintOptionsDeleter {
  void operator()(pappl_pr_options_t* options) const {
    papplJobDeletePrintOptions(options);
  }
};
using PrintOptions = std::unique_ptr<pappl_pr_options_t, PrintOptionsDeleter>;

// pages: 0 if it is not known. Null if there is not enough memory.
PrintOptions MakePrintOptions(pappl_job_t* job, unsigned pages);

}  // namespace halftoned
