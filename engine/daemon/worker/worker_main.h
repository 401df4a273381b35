// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by the programs of all workers. The supervisor starts them; they are
// of no use by themselves.

#pragma once

#include <chrono>
#include <string>

#include "base/result.h"
#include "control/control.h"
#include "daemon/confine/confine.h"
#include "daemon/worker/worker_options.h"

namespace halftoned::daemon {

using RunWorker = Result<void> (*)(const WorkerOptions& options,
                                   Control control);

// Confines the process, unless it is told not to, and runs it. Returns the exit
// status. name: the program's, for its messages. details: an additional line
// for --version.
int WorkerMain(int argc, char* argv[], const char* name, Role role,
               RunWorker run, std::string (*details)() = nullptr);

// For a worker whose threads may wait forever for a device: from now on, when
// the supervisor has gone, the process exits after `patience`. Call once.
void EndWithSupervisor(const char* name, std::chrono::seconds patience);

// Tells the supervisor why this process is about to exit. Any thread may call
// it.
void SayLastWords(const char* name, const Dying& dying);

}  // namespace halftoned::daemon
