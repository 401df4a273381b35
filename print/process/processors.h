// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef HALFTONED_PRINT_PROCESS_PROCESSORS_H_
#define HALFTONED_PRINT_PROCESS_PROCESSORS_H_

namespace halftoned {

// At least 1.
int ProcessorsOfMachine();
// Those that this process may use: fewer under taskset and in containers.
int Processors();

}  // namespace halftoned

#endif  // HALFTONED_PRINT_PROCESS_PROCESSORS_H_
