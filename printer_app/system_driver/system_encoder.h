// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Encodes pages with a raster driver of the system. The driver's page is the
// printable part of the sheet, according to the PPD file.

#pragma once

#include <memory>

#include "print/language/page_encoder.h"
#include "printer_app/system_driver/driver_ppd.h"
#include "printer_app/system_driver/driver_process.h"

namespace halftoned {

// The encoder's functions throw std::runtime_error if the driver fails. `ppd`
// outlives the encoder. chosen: the job's choices among the file's options.
std::unique_ptr<PageEncoder> MakeSystemEncoder(const DriverPpd& ppd,
                                               PpdChoices chosen,
                                               DriverJob job);

}  // namespace halftoned
