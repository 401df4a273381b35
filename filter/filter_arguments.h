// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A filter's command line, as cupsd passes it:
//
//   rastertohalftone job user title copies options [file]
//
// The filter makes copies only if it reads the file itself. On stdin they are
// already made, or the printer makes them.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/result.h"

namespace halftoned {

struct Arguments {
  uint32_t job = 0;  // CUPS' job number; 0: run by hand
  std::string title;
  std::string options;
  std::optional<std::string> file;
  int copies = 1;  // 1 … 9999
};

// arguments: without the program's name. program: its name, for the error.
Result<Arguments> ParseArguments(const std::string& program,
                                 std::span<char* const> arguments);

}  // namespace halftoned
