// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `halftone-printer-app attributes PRINTER`: what `halftone` reads about a
// printer of the running server.
//
//   answer = { attribute "=" value "\n" }
//
// The attributes are those of IPP, and their values as ipptool(1) writes them.

#pragma once

#include <string>

#include "base/result.h"

namespace halftoned {

// To standard output; the error says that there is no server, or no such
// printer.
Result<void> PrintAttributes(const std::string& printer);

}  // namespace halftoned
