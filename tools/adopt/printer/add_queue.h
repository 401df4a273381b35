// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `halftone add`: makes a queue that prints through our filter, for a printer
// that says what it takes, or by the language that it speaks.

#ifndef HALFTONED_TOOLS_ADOPT_PRINTER_ADD_QUEUE_H_
#define HALFTONED_TOOLS_ADOPT_PRINTER_ADD_QUEUE_H_

#include "adopt/printer/add_options.h"
#include "adopt/queue/outcome.h"
#include "adopt/queue/print_server.h"
#include "base/result.h"

namespace halftoned {

// Returns what was done, or why nothing was done.
Result<QueueOutcome> AddQueue(PrintServer& server, const AddOptions& options);

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_ADOPT_PRINTER_ADD_QUEUE_H_
