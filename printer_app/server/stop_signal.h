// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SIGTERM, SIGINT and, unless it is ignored, SIGHUP as a descriptor, so that
// none is lost while the server starts, and PAPPL's own handlers, which drop
// waiting jobs, never run.

#pragma once

#include "base/descriptor.h"

namespace halftoned {

// Blocks these signals in this thread and those it starts. First in main.
void HoldStopSignals();

// Readable while a held signal waits. Closed, with errno, if the system has
// none.
Descriptor HeldStopSignals();

// To this process.
void RaiseStopSignal();

}  // namespace halftoned
