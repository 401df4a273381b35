// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texts of PPD files for web pages: their options and choices, in the language
// of the file.

#pragma once

#include <pappl/pappl.h>

#include <vector>

#include "printer_app/printers/drivers.h"

namespace halftoned {

// Adds only texts that PAPPL lacks. If drivers differ, the first one's text
// counts.
void AddPpdTexts(pappl_system_t* system,
                 const std::vector<const Driver*>& drivers);

}  // namespace halftoned
