// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `halftone-printer-app print PRINTER TITLE FILE {OPTION=VALUE}`: how
// `halftone` prints its pages on the printer that `attributes` finds. Unlike
// PAPPL's `submit`, it reaches the service for every user, and starts no
// server.
//
//   answer = number of the job "\n"

#pragma once

#include <map>
#include <string>

#include "base/result.h"

namespace halftoned {

struct PrintedFile {
  std::string printer, title;
  std::string path;  // of a PDF document
  std::map<std::string, std::string> options;
};

// Ignores options that the printer does not offer. Writes the answer to
// standard output.
Result<void> PrintFile(const PrintedFile& file);

}  // namespace halftoned
