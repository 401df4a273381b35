// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "wire/checksum.h"

// Compiled in here: without another library, a filter starts sooner.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace halftoned::wire {

uint32_t Checksum(std::span<const std::byte> bytes) {
  return static_cast<uint32_t>(XXH3_64bits(bytes.data(), bytes.size()));
}

}  // namespace halftoned::wire
