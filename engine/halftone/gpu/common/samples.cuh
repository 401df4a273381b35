// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From gray samples to terms (pixel_term.h), for each kind of pixel. A chunk is
// the result of one 16-byte load.

#pragma once

#include <cstddef>
#include <cstdint>

#include "halftone/gpu/common/pixel_term.h"
#include "halftone/page/tone_curve.h"

namespace halftoned::cuda {

enum class Pixels { k8Plain, k8Toned, k16Plain, k16Toned };

template <Pixels pixels>
struct Samples {
  static constexpr bool kDeep =
      pixels == Pixels::k16Plain || pixels == Pixels::k16Toned;
  static constexpr int kBytes = kDeep ? 2 : 1;
  static constexpr int kPerChunk = 16 / kBytes;
  // Whether sample 0 has the term of a pixel outside the page.
  static constexpr bool kBlackIsOutside =
      pixels == Pixels::k8Plain || pixels == Pixels::k16Plain;

  static __device__ uint32_t LoadPair(const std::byte* row, int column) {
    const std::byte* at = row + static_cast<size_t>(column) * kBytes;
    if constexpr (kDeep) {
      return __ldg(reinterpret_cast<const uint32_t*>(at));
    } else {
      return __ldg(reinterpret_cast<const uint16_t*>(at));
    }
  }

  // Terms of the first two samples in `pair`.
  static __device__ int2 PairOfTerms(uint32_t pair, const int32_t* tone) {
    if constexpr (kDeep) {
      return make_int2(TermOf16(pair & 0xFFFF, tone),
                       TermOf16(pair >> 16, tone));
    } else {
      return make_int2(TermOf8<0>(pair, tone), TermOf8<1>(pair, tone));
    }
  }

  // Terms of samples 2·i and 2·i + 1 of a chunk.
  template <int i>
  static __device__ int2 PairOfTerms(const uint4& chunk, const int32_t* tone) {
    if constexpr (kDeep) {
      return PairOfTerms(Word<i>(chunk), tone);
    } else {
      constexpr int byte = i % 2 * 2;
      const uint32_t word = Word<i / 2>(chunk);
      return make_int2(TermOf8<byte>(word, tone),
                       TermOf8<byte + 1>(word, tone));
    }
  }

 private:
  template <int i>
  static __device__ uint32_t Word(const uint4& chunk) {
    if constexpr (i == 0) return chunk.x;
    if constexpr (i == 1) return chunk.y;
    if constexpr (i == 2) return chunk.z;
    if constexpr (i == 3) return chunk.w;
  }

  template <int byte>
  static __device__ int TermOf8(uint32_t word, const int32_t* tone) {
    if constexpr (pixels == Pixels::k8Plain) {
      // 7 - 256·(a + 1) = 256·~a + 7: the bytes 7, ~a, -1, -1.
      return static_cast<int>(
          __byte_perm(~word, 0xFFFFFF07u, 0x6504 | byte << 4));
    } else {
      return tone[__byte_perm(word, 0, 0x4440 | byte)];
    }
  }

  static __device__ int TermOf16(uint32_t sample, const int32_t* tone) {
    const uint32_t step = (sample * kWhite + 32768) >> 16;
    if constexpr (pixels == Pixels::k16Plain) {
      return TermOf(static_cast<int>(step));
    } else {
      return tone[step];
    }
  }
};

}  // namespace halftoned::cuda
