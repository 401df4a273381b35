// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CPU cores and the memory of this machine, or of the container that
// limits it, and what a job can use of them. Memory is in MiB.

#pragma once

namespace halftoned {

// CPU cores, at least 1.
int ProcessorsOfMachine();
// CPU cores that this process may use: fewer under taskset and in containers.
int Processors();

// At least 1.
int MemoryOfMachine();
// Half of the memory, but at least `least` and at most `most`; never more than
// all of it.
int ShareOfMemory(int least, int most);

// The number of renderers that run at a time, 1 … `processors`, small enough
// that boards with 512 MB can print long documents. `memory` is that of the
// machine.
int RenderersFor(int processors, int memory);
// Memory for the pages of a job that wait to be written, at least 1.
int WaitingMemoryFor(int memory);

}  // namespace halftoned
