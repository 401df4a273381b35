// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A printer of a running server, found by its name: what sub-commands that
// `halftone` runs ask and print on. Starts no server.

#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "printer_app/server/server_connection.h"

namespace halftoned {

struct FoundPrinter {
  // Null if the printer has no such attribute.
  ipp_attribute_t* Find(const std::string& name) const;

  Connection http;
  Answer answer;
  std::vector<ipp_attribute_t*> attributes;  // in order; parts of the answer
};

// Fails if there is no server, or no such printer.
Result<FoundPrinter> FindPrinter(const std::string& name);

}  // namespace halftoned
