// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file of printers, in the words of PAPPL's state:
//   file    = *(line | printer)
//   printer = "<Printer " options ">" LF *line "</Printer>" LF
// One that is torn must stop the server: PAPPL would go on with the printers
// that it finds, and save only these.

#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "printer_app/server/folders.h"

namespace halftoned {

struct KeptState {
  std::string text;  // empty if there is no file
  int printers = 0;
};

struct PrinterText {
  int id = 0;
  std::string name;
  std::string driver;
  std::string text;  // all of its lines, but those of jobs
};

// The text is whole.
std::vector<PrinterText> PrintersIn(const std::string& text);

// An error if the text is not whole; it says why.
Result<int> CountPrinters(const std::string& text);

// The same of a file.
Result<int> CountPrintersIn(const std::string& path);

Result<KeptState> ReadState(const Folders& folders);

}  // namespace halftoned
