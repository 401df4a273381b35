// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The test page of a printer: its settings in words, and test patterns.

#pragma once

#include <pappl/pappl.h>

#include <cstddef>
#include <string>

namespace halftoned {

// The test page as a PDF document.
std::string TestSheet(pappl_printer_t* printer);

// PAPPL's callback; no job may begin meanwhile. Creates the job itself. If it
// fails, returns the name of a file that does not exist.
const char* MakeTestSheet(pappl_printer_t* printer, char* buffer, size_t size);

}  // namespace halftoned
