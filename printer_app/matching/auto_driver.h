// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the driver of a printer if its user does not.

#pragma once

#include "base/result.h"
#include "printer_app/system_driver/system_drivers.h"

namespace halftoned {

// By the printer's device id: an adopted PPD file of its model, or else a
// driver of the table; null if there is neither.
const Driver* KnownDriver(const char* device_id, const SystemDrivers& drivers);

// The same; if there is neither, adopts a PPD file of this machine for that
// model. device_id: may be null. The error says what to do.
Result<const Driver*> AutoDriver(const char* device_id, SystemDrivers& drivers);

}  // namespace halftoned
