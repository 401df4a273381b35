// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/process/machine.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace halftoned {
namespace {

namespace fs = std::filesystem;

// The machine's memory for each renderer, in MiB. A lane of gray pages needs 55
// MiB at 600 dpi, and 128 MiB more if Ghostscript keeps as much of a page as
// CUPS allows.
constexpr int kForEach = 256;
// Waiting pages get this fraction of the memory: 1/kShareOfWaiting.
constexpr int kShareOfWaiting = 8;
// In MiB. More is never needed: a printer takes minutes to print these pages.
constexpr int kMostWaiting = 256;

// The smallest limit of the group and of those above it. mount: the root of all
// groups; a container sees its own group there. Without a limit, cgroup v2's
// file contains a word.
uint64_t LimitOf(fs::path group, const fs::path& mount, const char* file) {
  uint64_t least = UINT64_MAX;
  for (;; group = group.parent_path()) {
    uint64_t limit = 0;
    if (std::ifstream(mount / group / file) >> limit) {
      least = std::min(least, limit);
    }
    if (group.empty()) return least;
  }
}

}  // namespace

int ProcessorsOfMachine() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

uint64_t MemoryLimitOfGroups(const std::string& list,
                             const std::string& mount) {
  uint64_t least = UINT64_MAX;
  std::ifstream lines(list);
  // NUMBER:CONTROLLER,…:/GROUP; cgroup v2 names no controller.
  for (std::string number, controllers, group;
       std::getline(lines, number, ':') &&
       std::getline(lines, controllers, ':') && std::getline(lines, group);) {
    const fs::path path = fs::path(group).relative_path();
    if (controllers.empty()) {
      least = std::min(least, LimitOf(path, mount, "memory.max"));
    } else if (controllers == "memory") {
      least = std::min(
          least, LimitOf(path, mount + "/memory", "memory.limit_in_bytes"));
    }
  }
  return least;
}

MachineMemory MemoryOfThis() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page = ::sysconf(_SC_PAGESIZE);
  uint64_t all = UINT64_MAX;
  if (pages > 0 && page > 0) {
    all = static_cast<uint64_t>(pages) * static_cast<uint64_t>(page);
  }
  const uint64_t limit =
      MemoryLimitOfGroups("/proc/self/cgroup", "/sys/fs/cgroup");
  return {static_cast<int>(
              std::clamp<uint64_t>(std::min(all, limit) >> 20, 1, INT_MAX)),
          limit < all};
}

int MemoryOfMachine() { return MemoryOfThis().mib; }

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
