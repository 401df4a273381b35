// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads SIGTERM, SIGINT and, unless it is ignored, SIGHUP from a descriptor. So
// no signal is lost while the server starts, and PAPPL's own handlers, which
// drop waiting jobs, never run.

#pragma once

#include "base/descriptor.h"

namespace halftoned {

// Blocks these signals in this thread and in the threads that it starts. Call
// it first in main.
void HoldStopSignals();

// Readable while a blocked signal is pending. Closed if signalfd fails; errno
// has the reason.
Descriptor HeldStopSignals();

}  // namespace halftoned
