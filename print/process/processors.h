// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

namespace halftoned {

// At least 1.
int ProcessorsOfMachine();
// In MiB, at least 1; that of the container, if it has less.
int MemoryOfMachine();
// Half of it, but at least `least` and at most `most`; never more than all of
// it.
int ShareOfMemory(int least, int most);
// Those that this process may use: fewer under taskset and in containers.
int Processors();

}  // namespace halftoned
