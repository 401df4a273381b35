// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/process/machine.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdint>
#include <fstream>
#include <thread>

namespace halftoned {
namespace {

// Files with the memory limit of a container, in cgroup v2 and v1. Without a
// limit, the former contains a word.
constexpr const char* kLimitsOfContainer[] = {
    "/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"};

// The machine's memory for each renderer, in MiB. A lane of gray pages needs 55
// MiB at 600 dpi, and 128 MiB more if Ghostscript keeps as much of a page as
// CUPS allows.
constexpr int kForEach = 256;
// Waiting pages get this fraction of the memory: 1/kShareOfWaiting.
constexpr int kShareOfWaiting = 8;
// In MiB. More is never needed: a printer takes minutes to print these pages.
constexpr int kMostWaiting = 256;

}  // namespace

int ProcessorsOfMachine() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

int MemoryOfMachine() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page = ::sysconf(_SC_PAGESIZE);
  uint64_t bytes = UINT64_MAX;
  if (pages > 0 && page > 0) {
    bytes = static_cast<uint64_t>(pages) * static_cast<uint64_t>(page);
  }
  for (const char* path : kLimitsOfContainer) {
    uint64_t limit = 0;
    if (std::ifstream(path) >> limit) bytes = std::min(bytes, limit);
  }
  return static_cast<int>(std::clamp<uint64_t>(bytes >> 20, 1, INT_MAX));
}

int ShareOfMemory(int least, int most) {
  const int all = MemoryOfMachine();
  return std::min(all, std::clamp(all / 2, least, most));
}

int Processors() {
  cpu_set_t usable;
  // The set has room for 1024; larger machines are an error.
  if (::sched_getaffinity(0, sizeof(usable), &usable) != 0) {
    return ProcessorsOfMachine();
  }
  return std::max(1, CPU_COUNT(&usable));
}

int RenderersFor(int processors, int memory) {
  return std::clamp(memory / kForEach, 1, std::max(1, processors));
}

int WaitingMemoryFor(int memory) {
  return std::clamp(memory / kShareOfWaiting, 1, kMostWaiting);
}

}  // namespace halftoned
