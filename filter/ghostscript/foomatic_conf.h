// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keys in foomatic-rip's own configuration, filter.conf, that make it call a
// Ghostscript other than the one on its PATH, which would print its own dots.
//
//   file = { [ key { " " | ":" } value ] [ "#" comment ] LF }

#pragma once

#include <string>

namespace halftoned {

// The first such key; empty if there is none. `conf`: the file's text.
std::string KeyOfOtherGhostscript(const std::string& conf);

}  // namespace halftoned
