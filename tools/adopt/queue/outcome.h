// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a command has done to one queue.

#pragma once

#include <string>

namespace halftoned {

struct QueueOutcome {
  std::string result;  // "adopted", "would be adopted"
  std::string note;    // for people; may be empty
  std::string job;     // the number of the new job; may be empty
};

// Prints a line: "laser: adopted; NOTE", or JSON.
void PrintOutcome(const std::string& queue, const QueueOutcome& outcome,
                  bool as_json);

}  // namespace halftoned
