// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What in foomatic-rip's own configuration, filter.conf, has it call another
// Ghostscript than the one on its PATH, so that no dot would be ours.
//
//   file = { [ key { " " | ":" } value ] [ "#" comment ] LF }

#ifndef HALFTONED_FILTER_GHOSTSCRIPT_FOOMATIC_CONF_H_
#define HALFTONED_FILTER_GHOSTSCRIPT_FOOMATIC_CONF_H_

#include <string>

namespace halftoned {

// The key that does so; empty if none does. `conf`: the file's text.
std::string KeyOfOtherGhostscript(const std::string& conf);

}  // namespace halftoned

#endif  // HALFTONED_FILTER_GHOSTSCRIPT_FOOMATIC_CONF_H_
