// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a bit storer writes a band's rows, in blocks of 16 bytes, from rings of
// samples that still have the rows' lags in them. In turn k, a row with a lag
// of c blocks, rounded up, writes its block k - c, so that its samples are
// complete when the wavefront has done the steps of k blocks and one.

#pragma once

#include <cstddef>
#include <cstdint>

#include "halftone/gpu/common/band_job.h"

namespace halftoned::cuda {

// lag: steps by which a row is behind the first.
template <int bits_per_sample, int (*lag)(int row)>
class BitRows {
  static constexpr int kBitsPerBlock = 128;

 public:
  static constexpr int kStepsPerBlock = kBitsPerBlock / bits_per_sample;

  __device__ explicit BitRows(const BandJob& job)
      : job_(job),
        row_bits_(job.width * bits_per_sample),
        blocks_((row_bits_ + kBitsPerBlock - 1) / kBitsPerBlock) {}

  // The number of turns after which this row is written.
  __device__ int Turns(int row) const { return blocks_ + LagInBlocks(row); }

  // ring: of `ring_words` words; row_of_band: where the row lies in the band.
  template <int ring_words>
  __device__ void Store(const uint32_t* ring, int row, int64_t row_of_band,
                        int turn) const {
    const int block = turn - LagInBlocks(row);
    if (block < 0 || block >= blocks_) return;
    const int start = block * kBitsPerBlock + lag(row) * bits_per_sample;
    std::byte* bytes = job_.bits + row_of_band * job_.bits_pitch;
    reinterpret_cast<uint4*>(bytes)[block] = BlockOfSamples<ring_words>(
        ring, start, row_bits_ - block * kBitsPerBlock);
  }

 private:
  static __device__ int LagInBlocks(int row) {
    return (lag(row) * bits_per_sample + kBitsPerBlock - 1) / kBitsPerBlock;
  }

  // The bits from `start` on of a ring of words whose first bit is the highest
  // of their first byte; zero from bit `left` on.
  template <int ring_words>
  static __device__ uint4 BlockOfSamples(const uint32_t* ring, int start,
                                         int left) {
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

  const BandJob& job_;
  const int row_bits_;
  const int blocks_;
};

}  // namespace halftoned::cuda
