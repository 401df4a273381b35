// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <chrono>
#include <cstdint>

namespace halftoned {

// How many bytes the other end of our TCP connection has acknowledged, even if
// the connection was reset. 0 if it is no TCP connection.
uint64_t AckedBytes(int connection);

// Until the other end's answer arrives. 0 if it is no TCP connection.
std::chrono::microseconds RoundTrip(int connection);

}  // namespace halftoned
