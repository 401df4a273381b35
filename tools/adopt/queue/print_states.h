// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `halftone list` and `halftone models` print.

#ifndef HALFTONED_TOOLS_ADOPT_QUEUE_PRINT_STATES_H_
#define HALFTONED_TOOLS_ADOPT_QUEUE_PRINT_STATES_H_

#include <vector>

#include "adopt/queue/queues.h"

namespace halftoned {

// A line for each queue or model; of JSON if as_json.
void PrintStates(const std::vector<QueueState>& states, bool as_json);

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_ADOPT_QUEUE_PRINT_STATES_H_
