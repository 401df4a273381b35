// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <chrono>
#include <cstdint>

namespace halftoned {

// How many bytes the other end of our TCP connection has acknowledged, even if
// the connection was reset. 0 if it is no TCP connection.
uint64_t AckedBytes(int connection);

// Until the other end's answer arrives; half a second if the first packets were
// lost, so that it is unknown. 0 if it is no TCP connection.
std::chrono::microseconds RoundTrip(int connection);

}  // namespace halftoned
