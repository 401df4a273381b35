// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texts of PPD files for web pages: their options and choices, in the language
// of the file.

#ifndef HALFTONED_PRINTER_APP_SYSTEM_DRIVER_PPD_PPD_TEXTS_H_
#define HALFTONED_PRINTER_APP_SYSTEM_DRIVER_PPD_PPD_TEXTS_H_

#include <pappl/pappl.h>

#include <vector>

#include "printer_app/printers/drivers.h"

namespace halftoned {

// Only those that PAPPL has no words for. Words of the first driver count.
void AddPpdTexts(pappl_system_t* system,
                 const std::vector<const Driver*>& drivers);

}  // namespace halftoned

#endif  // HALFTONED_PRINTER_APP_SYSTEM_DRIVER_PPD_PPD_TEXTS_H_
