// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The test page of a printer: its settings in words, and patterns that show how
// it prints.

#pragma once

#include <pappl/pappl.h>

#include <cstddef>
#include <string>

namespace halftoned {

// The PDF document.
std::string TestSheet(pappl_printer_t* printer);

// PAPPL's callback, while no job begins: makes the job itself. A file that
// does not exist is its answer if it cannot.
const char* MakeTestSheet(pappl_printer_t* printer, char* buffer, size_t size);

}  // namespace halftoned
