// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hand-off of a row of states from strip to strip and from band to band,
// through global memory, or from strip to strip of a cluster through the
// reading block's shared memory; addresses are generic. One lane of one warp
// writes a row, another block reads it, perhaps of another kernel. This type
// holds all its memory orders.
//
// Why it is right, by the PTX memory model:
//
// - A row is made fresh (all ones) by a memset that is ordered before the
//   writing and the reading kernel by streams and events; in shared memory by
//   the reading block's stores, which a barrier of the cluster orders before
//   the writing block's. After that each 32-bit word is written once, by one
//   store.
// - Store and load are relaxed at gpu scope, which holds the cluster, on the
//   same aligned 32-bit words, so they are morally strong: no data race, and no
//   torn word. (A vector access is a set of such scalar accesses, in no order
//   among themselves.)
// - By coherence a load gives either the fresh word or the word that was
//   stored, and once a thread has seen the latter it never sees the former
//   again. A stored word is never all ones: states are at most 4080.
// - A stored word *is* the message. A reader that has seen it concludes nothing
//   else: neither that other words are stored, nor that other memory was
//   written. So no acquire, release or fence is needed.

#pragma once

#include <cstdint>

#include "halftone/gpu/common/lanes.h"

namespace halftoned::cuda {

class Handoff {
 public:
  // Two states, the lower column in the lower half; if `wanted` is false,
  // `otherwise`, without reading. There is no branch, so loads are issued
  // together.
  static __device__ uint32_t LoadIf(bool wanted, const uint32_t* word,
                                    uint32_t otherwise) {
    asm volatile(
        "{\n"
        "  .reg .pred wanted;\n"
        "  setp.ne.u32 wanted, %2, 0;\n"
        "  @wanted ld.relaxed.gpu.u32 %0, [%1];\n"
        "}"
        : "+r"(otherwise)
        : "l"(word), "r"(static_cast<uint32_t>(wanted)));
    return otherwise;
  }

  static __device__ bool IsThere(uint32_t states) {
    return states != 0xFFFFFFFFu;
  }

  // Called by all lanes, each of which has looked for its own words. Returns
  // how many lanes, from the first on, have found theirs.
  static __device__ int LanesThere(bool is_there) {
    const uint32_t missing = ~__ballot_sync(0xFFFFFFFFu, is_there);
    return missing == 0 ? kLanes : __ffs(static_cast<int>(missing)) - 1;
  }

  // Eight states; `at` is 16-byte aligned.
  static __device__ void Store(uint16_t* at, uint4 states) {
    asm volatile("st.relaxed.gpu.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(at),
                 "r"(states.x), "r"(states.y), "r"(states.z), "r"(states.w));
  }
};

}  // namespace halftoned::cuda
