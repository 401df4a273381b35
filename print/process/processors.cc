// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/process/processors.h"

#include <sched.h>

#include <algorithm>
#include <thread>

namespace halftoned {

int ProcessorsOfMachine() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

int Processors() {
  cpu_set_t usable;
  // The set has room for 1024; larger machines are an error.
  if (::sched_getaffinity(0, sizeof(usable), &usable) != 0) {
    return ProcessorsOfMachine();
  }
  return std::max(1, CPU_COUNT(&usable));
}

}  // namespace halftoned
