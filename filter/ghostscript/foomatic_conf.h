// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What in foomatic-rip's own configuration, filter.conf, has it call another
// Ghostscript than the one on its PATH, so that no dot would be ours.
//
//   file = { [ key { " " | ":" } value ] [ "#" comment ] LF }

#pragma once

#include <string>

namespace halftoned {

// The key that does so; empty if none does. `conf`: the file's text.
std::string KeyOfOtherGhostscript(const std::string& conf);

}  // namespace halftoned
