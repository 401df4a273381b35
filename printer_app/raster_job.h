// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A job of raster: PAPPL's callbacks around a GrayPage and an encoder.
//
// PAPPL goes on after a row that could not be written and after a raster that
// ends early, so the end of a page reports both.

#ifndef HALFTONED_PRINTER_APP_RASTER_JOB_H_
#define HALFTONED_PRINTER_APP_RASTER_JOB_H_

#include <pappl/pappl.h>

namespace halftoned {

// What all jobs share is the extension of the driver's data: an EngineList.
void SetRasterCallbacks(pappl_pr_driver_data_t& data);

}  // namespace halftoned

#endif  // HALFTONED_PRINTER_APP_RASTER_JOB_H_
