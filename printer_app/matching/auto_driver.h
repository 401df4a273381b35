// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses a printer's driver if the user does not.

#pragma once

#include "base/result.h"
#include "printer_app/system_driver/system_drivers.h"

namespace halftoned {

// Chooses by the printer's device ID: an adopted PPD file for its model, or
// else a driver of the table. Null if there is neither.
const Driver* KnownDriver(const char* device_id, const SystemDrivers& drivers);

// The same, but if there is neither, adopts a PPD file of this machine for that
// model. device_id: may be null. The error says what to do.
Result<const Driver*> AutoDriver(const char* device_id, SystemDrivers& drivers);

}  // namespace halftoned
