// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The printer's bytes from a raster driver of the system. Its page is the
// printable part of the sheet, as the PPD file states it.

#pragma once

#include <memory>

#include "print/language/page_encoder.h"
#include "printer_app/system_driver/driver_ppd.h"
#include "printer_app/system_driver/driver_process.h"

namespace halftoned {

// Its functions throw std::runtime_error if the driver fails. `ppd` outlives
// it. chosen: the job's choices among the file's options.
std::unique_ptr<PageEncoder> MakeSystemEncoder(const DriverPpd& ppd,
                                               PpdChoices chosen,
                                               DriverJob job);

}  // namespace halftoned
