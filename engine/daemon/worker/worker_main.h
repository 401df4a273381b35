// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the programs of all workers have in common. The supervisor starts them;
// they are of no use by themselves.

#ifndef HALFTONED_DAEMON_WORKER_WORKER_MAIN_H_
#define HALFTONED_DAEMON_WORKER_WORKER_MAIN_H_

#include <chrono>

#include "base/result.h"
#include "daemon/control.h"
#include "daemon/worker/options.h"

namespace halftoned::daemon {

using RunWorker = Result<void> (*)(const WorkerOptions& options,
                                   Control control);

// The exit status. `name` is the program's, for its messages.
int WorkerMain(int argc, char* argv[], const char* name, RunWorker run);

// For a worker whose threads may wait for ever, for a device: from now on the
// process ends after `patience` when the supervisor has gone. To be called
// once.
void EndWithSupervisor(const char* name, std::chrono::seconds patience);

// From any thread, before the process ends.
void SayLastWords(const char* name, const Dying& dying);

}  // namespace halftoned::daemon

#endif  // HALFTONED_DAEMON_WORKER_WORKER_MAIN_H_
