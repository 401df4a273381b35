// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

namespace halftoned {

// CPU cores, at least 1.
int ProcessorsOfMachine();
// Memory in MiB, at least 1: the container's limit if that is lower.
int MemoryOfMachine();
// Half of the memory, in MiB, but at least `least` and at most `most`; never
// more than all of the memory.
int ShareOfMemory(int least, int most);
// CPU cores that this process may use: fewer under taskset and in containers.
int Processors();

}  // namespace halftoned
