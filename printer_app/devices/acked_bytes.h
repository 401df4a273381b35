// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>

namespace halftoned {

// How many bytes the other end of a TCP connection of ours has acknowledged,
// also of one that is reset. 0 if it is no such connection.
uint64_t AckedBytes(int connection);

}  // namespace halftoned
