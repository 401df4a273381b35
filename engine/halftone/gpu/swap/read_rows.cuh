// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies a band's rows into the window: tones and gray pixels, from the
// samples; and the first pass's bits. Each thread copies sixteen columns of a
// row.

#pragma once

#include <cstddef>
#include <cstdint>

#include "halftone/gpu/common/pixel_term.h"
#include "halftone/gpu/common/swap_job.h"
#include "halftone/gpu/swap/block_tile.cuh"
#include "halftone/page/tone_curve.h"

namespace halftoned::cuda::swap {

inline constexpr int kReadThreads = 256;

// Converts a word of `fine` to the tone (FineToneOf) and, above it, 1 for a
// pixel that may be swapped.
__device__ inline uint16_t ToneWord(int32_t word, const SwapJob& job) {
  const int value = job.feedback > 0 ? word & static_cast<int32_t>(kValueMask)
                                     : __float2int_rn(__int_as_float(word));
  const bool is_gray = !job.pure || (value != 0 && value != kWhite);
  return static_cast<uint16_t>(((value + 8) >> 4) | (is_gray ? 0x100 : 0));
}

__global__ void __launch_bounds__(kReadThreads)
    ReadRows(const __grid_constant__ SwapJob job) {
  __shared__ uint16_t tones[kTermsOf16];
  const int entries = job.deep ? kTermsOf16 : kTermsOf8;
  for (int i = threadIdx.x; i < entries; i += kReadThreads) {
    tones[i] = ToneWord(job.tone[i], job);
  }
  __syncthreads();
  const int chunks = static_cast<int>(job.window.tone_pitch) / kChunk;
  const int all = chunks * job.rows;
  for (int i = static_cast<int>(blockIdx.x) * kReadThreads +
               static_cast<int>(threadIdx.x);
       i < all; i += static_cast<int>(gridDim.x) * kReadThreads) {
    const int row = i / chunks;
    const int column = i % chunks * kChunk;
    const int left = job.width - column;
    const std::byte* from =
        job.gray + static_cast<size_t>(row) * job.gray_pitch;
    uint32_t words[kChunk / 4] = {};
    uint32_t gray = 0;
    uint32_t samples[kChunk / 2];
    const auto* chunk = reinterpret_cast<const uint4*>(
        from + (job.deep ? 2 : 1) * static_cast<size_t>(column));
    *reinterpret_cast<uint4*>(samples) = __ldg(chunk);
    if (job.deep) {
      // The row has room for whole chunks of sixteen bytes alone.
      *reinterpret_cast<uint4*>(samples + 4) =
          left > kChunk / 2 ? __ldg(chunk + 1) : make_uint4(0, 0, 0, 0);
    }
#pragma unroll
    for (int k = 0; k < kChunk; ++k) {
      uint32_t entry;
      if (job.deep) {
        const uint32_t sample = samples[k / 2] >> k % 2 * 16 & 0xFFFF;
        entry = (sample * kWhite + 32768) >> 16;
      } else {
        entry = samples[k / 4] >> k % 4 * 8 & 0xFF;
      }
      const uint32_t tone = k < left ? tones[entry] : 0;
      words[k / 4] |= (tone & 0xFF) << k % 4 * 8;
      gray = gray << 1 | tone >> 8;
    }
    const int64_t page_row = job.first_row + row;
    const auto place = static_cast<size_t>(job.window.Place(page_row));
    *reinterpret_cast<uint4*>(job.window.tones + place * job.window.tone_pitch +
                              column) =
        make_uint4(words[0], words[1], words[2], words[3]);
    const size_t at =
        place * job.window.bit_pitch + static_cast<size_t>(column) / 8;
    *reinterpret_cast<uint16_t*>(job.window.gray + at) =
        static_cast<uint16_t>(__byte_perm(gray, 0, 0x4401));
    if (page_row >= job.first_bits_row) {
      *reinterpret_cast<uint16_t*>(job.window.bits[0] + at) =
          *reinterpret_cast<const uint16_t*>(
              job.bits + static_cast<size_t>(row) * job.bit_pitch +
              static_cast<size_t>(column) / 8);
    }
  }
}

}  // namespace halftoned::cuda::swap
