// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `halftone-printer-app attributes PRINTER`: what `halftone` reads about a
// printer of the running server.
//
//   answer = { attribute "=" value "\n" }
//
// The names are those of IPP attributes. Values are written as by ipptool(1).

#pragma once

#include <string>

#include "base/result.h"

namespace halftoned {

// Writes the answer to standard output. Fails if there is no server, or no such
// printer.
Result<void> PrintAttributes(const std::string& printer);

}  // namespace halftoned
