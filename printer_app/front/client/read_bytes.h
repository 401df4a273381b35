// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>
#include <optional>

namespace halftoned {

// The bytes of a TCP connection that this process has read. Nothing if it is no
// TCP connection.
std::optional<int64_t> ReadBytes(int connection);

}  // namespace halftoned
