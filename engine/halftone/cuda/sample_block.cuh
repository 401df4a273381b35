// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block of a row's samples, as a storer writes it.

#ifndef HALFTONED_HALFTONE_CUDA_SAMPLE_BLOCK_CUH_
#define HALFTONED_HALFTONE_CUDA_SAMPLE_BLOCK_CUH_

#include <cstdint>

namespace halftoned::cuda {

inline constexpr int kBitsPerBlock = 128;

// The bits from `start` on of a ring of words whose first bit is the highest of
// their first byte; zero from bit `left` on.
template <int ring_words>
__device__ uint4 BlockOfSamples(const uint32_t* ring, int start, int left) {
  const auto word = [&](int i) {
    return __byte_perm(ring[(start / 32 + i) % ring_words], 0, 0x0123);
  };
  const auto shifted = [&](int i) {
    const uint32_t bits = __funnelshift_l(word(i + 1), word(i), start % 32);
    const int here = left - 32 * i;
    const uint32_t mask = here >= 32 ? ~0u : here <= 0 ? 0u : ~(~0u >> here);
    return __byte_perm(bits & mask, 0, 0x0123);
  };
  return make_uint4(shifted(0), shifted(1), shifted(2), shifted(3));
}

}  // namespace halftoned::cuda

#endif  // HALFTONED_HALFTONE_CUDA_SAMPLE_BLOCK_CUH_
