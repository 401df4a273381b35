// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CPU cores and the memory of this machine, or of the container or control
// group (cgroup) that limits it, and what a job can use of them. Memory is in
// MiB.

#pragma once

#include <cstdint>
#include <string>

namespace halftoned {

// CPU cores, at least 1.
int ProcessorsOfMachine();
// CPU cores that this process may use: fewer under taskset and in containers.
int Processors();

struct MachineMemory {
  int mib;          // at least 1
  bool is_limited;  // by a control group, as with systemd's MemoryMax
};
MachineMemory MemoryOfThis();
int MemoryOfMachine();
// Bytes that the control groups of a process may use; UINT64_MAX: no limit.
// list: /proc/self/cgroup. mount: where the groups' files are.
uint64_t MemoryLimitOfGroups(const std::string& list, const std::string& mount);

// The number of renderers that run at a time, 1 … `processors`, small enough
// that boards with 512 MB can print long documents. `memory` is that of the
// machine.
int RenderersFor(int processors, int memory);
// Memory for the pages of a job that wait to be written, at least 1.
int WaitingMemoryFor(int memory);

}  // namespace halftoned
