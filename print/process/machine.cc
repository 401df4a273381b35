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

// The limit of a container, as its control group tells in the first or second
// version; text for no limit.
constexpr const char* kLimitsOfContainer[] = {
    "/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"};

// MiB of the machine for each renderer. A lane of gray pages takes 55 MiB at
// 600 dpi, and 128 more if Ghostscript keeps as much of a page as CUPS allows.
constexpr int kForEach = 256;
// Pages that wait get this part of the memory.
constexpr int kShareOfWaiting = 8;
// More are never needed: a printer prints them for minutes. In MiB.
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
