// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A checksum against stray writes and mistakes, not against malice: the lower
// half of XXH3-64, which takes less time than making rows.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace halftoned::wire {

uint32_t Checksum(std::span<const std::byte> bytes);

}  // namespace halftoned::wire
