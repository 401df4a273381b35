// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs another program, and waits for it for a limited time.

#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace halftoned {

struct Outcome {
  int status = -1;  // of its exit; -1 after a signal
  std::string out;
  std::string errors;    // its output to standard error
  bool is_late = false;  // the program was silent for too long, and was ended
};

// words: the program, looked up in PATH if it has no slash, and its arguments.
// Its stdin is empty. If it is silent for `silent_seconds`, it is ended, and so
// are all processes that it has started. At most 1 MiB of its output is kept.
Result<Outcome> RunProgram(const std::vector<std::string>& words,
                           int silent_seconds);

}  // namespace halftoned
