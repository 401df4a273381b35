// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A printer for PAPPL: the callbacks that find a driver for a device, and that
// return a driver's papers, resolutions, raster and options.

#pragma once

#include <pappl/pappl.h>

#include "printer_app/printers/drivers.h"

namespace halftoned {

// The paper of a new printer.
pappl_media_col_t UsualPaper(const Driver& driver);

// A pappl_pr_driver_cb_t. `application` is an Application.
bool SetUpDriver(pappl_system_t* system, const char* name,
                 const char* device_uri, const char* device_id,
                 pappl_pr_driver_data_t* data, ipp_t** attributes,
                 void* application);

// A pappl_pr_autoadd_cb_t: the driver's name, or null. `application` is an
// Application.
const char* AutoAdd(const char* info, const char* device_uri,
                    const char* device_id, void* application);

}  // namespace halftoned
