// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs another program, and waits for it no longer than it is allowed to take.

#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace halftoned {

struct Outcome {
  int status = -1;  // of its exit; -1 after a signal
  std::string out;
  std::string errors;    // its standard error
  bool is_late = false;  // it was silent for too long, and was ended
};

// words: the program, looked for in PATH if it has no slash, and its arguments.
// It has nothing to read. It is ended, with what it has started, after it has
// been silent for so many seconds. At most a MiB of its output is kept.
Result<Outcome> RunProgram(const std::vector<std::string>& words,
                           int silent_seconds);

}  // namespace halftoned
