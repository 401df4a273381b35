// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

namespace halftoned {

// At least 1.
int ProcessorsOfMachine();
// Those that this process may use: fewer under taskset and in containers.
int Processors();

}  // namespace halftoned
