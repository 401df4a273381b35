// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which GPUs there are, without asking their driver: that is for the workers.

#ifndef HALFTONED_DAEMON_SUPERVISOR_GPUS_H_
#define HALFTONED_DAEMON_SUPERVISOR_GPUS_H_

#include <string>
#include <vector>

#include "config/config.h"

namespace halftoned::daemon {

// Of each GPU that is chosen, what tells a worker which it is: its UUID, or its
// number. `devices`: the folder that has a node for each, /dev.
std::vector<std::string> GpusOf(const GpuChoice& choice,
                                const std::string& devices);

}  // namespace halftoned::daemon

#endif  // HALFTONED_DAEMON_SUPERVISOR_GPUS_H_
