// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A filter's command line, as cupsd gives it:
//
//   rastertohalftone job user title copies options [file]
//
// Copies are the filter's business only where it reads the file itself; on
// stdin they are made already, or left to the printer.

#ifndef HALFTONED_FILTER_ARGUMENTS_H_
#define HALFTONED_FILTER_ARGUMENTS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/result.h"

namespace halftoned {

struct Arguments {
  uint32_t job = 0;  // as CUPS numbers it; 0: by hand
  std::string title;
  std::string options;
  std::optional<std::string> file;
  int copies = 1;  // 1 … 9999
};

// `arguments` without the program's name.
Result<Arguments> ParseArguments(std::span<char* const> arguments);

}  // namespace halftoned

#endif  // HALFTONED_FILTER_ARGUMENTS_H_
