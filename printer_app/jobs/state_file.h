// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file of printers and jobs, which PAPPL writes:
//   file    = *(line | printer)
//   printer = "<Printer " options ">" LF *line "</Printer>" LF
// One that is torn must stop the server: PAPPL would go on with the printers
// that it finds, and save only these.

#pragma once

#include <string>

#include "base/result.h"
#include "printer_app/server/folders.h"

namespace halftoned {

struct KeptState {
  std::string text;  // empty if there is no file
  int printers = 0;
};

// An error if the text is not whole; it says why.
Result<int> CountPrinters(const std::string& text);

// The same of a file.
Result<int> CountPrintersIn(const std::string& path);

Result<KeptState> ReadState(const Folders& folders);

// Keeps the file beside itself.
Result<void> KeepAsLastGood(const Folders& folders);

}  // namespace halftoned
