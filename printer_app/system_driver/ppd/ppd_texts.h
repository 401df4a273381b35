// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texts of PPD files for web pages: their options and choices, in the language
// of the file.

#pragma once

#include <pappl/pappl.h>

#include <vector>

#include "printer_app/printers/drivers.h"

namespace halftoned {

// Only those that PAPPL has no words for. Words of the first driver count.
void AddPpdTexts(pappl_system_t* system,
                 const std::vector<const Driver*>& drivers);

}  // namespace halftoned
