// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The step from a collected value to a level, for each number of levels. The
// input is z = 2040 - s. The result is the state 2040 - e = z + value(level),
// and the level's sample is shifted into `packed` from below. There is no
// branch and no predicate, because a row's speed depends on this chain.

#pragma once

#include <cstdint>

#include "halftone/gpu/common/pixel_term.h"
#include "halftone/page/levels.h"

namespace halftoned::cuda {

// White iff s > 2040, that is z < 0: the sample is the sign of z. Read as
// unsigned, a negative z is larger than z + 4080 and any other is smaller, so
// the smaller of the two is the state: one instruction (VIADDMNMX) in place of
// compare, select and subtract.
struct TwoLevels {
  static constexpr int kCount = 2;
  static constexpr int kBits = 1;

  static __device__ int Quantize(int z, uint32_t& packed) {
    const uint32_t u = static_cast<uint32_t>(z);
    packed = __funnelshift_l(u, packed, 1);
    return static_cast<int>(__viaddmin_u32(u, kWhite, u));
  }
};

// floor((x * mul + add) / 2^shift)
struct Line {
  int64_t mul, add;
  int shift;
  HALFTONED_BOTH constexpr int At(int x) const {
    return static_cast<int>((x * mul + add) >> shift);
  }
};

// 4, 8 and 16 levels are spaced so evenly that level and value are each a
// rounded line. The compiler checks that the lines are right everywhere.
template <int count>
struct ManyLevels {
  static constexpr int kCount = count;
  static constexpr Levels kLevels = Levels::ForCount(count);
  static constexpr int kBits = kLevels.bits_per_sample;
  static constexpr int kSteps = count - 1;

  // Level k begins at midpoint[k - 1] + 1.
  static constexpr int Nearest(int s) {
    int k = 0;
    while (k < kSteps && s > kLevels.midpoint[k]) ++k;
    return k;
  }
  // The slope is kSteps / 4080; the offset is the first one that fits.
  static constexpr Line FindLevelLine() {
    constexpr int kShift = 26;
    constexpr int64_t kMul =
        ((int64_t{kSteps} << kShift) + kWhite - 1) / kWhite;
    for (int offset = 0; offset < 4096; ++offset) {
      const Line line{kMul, int64_t{offset} << (kShift - 12), kShift};
      bool fits = true;
      for (int k = 0; k < kSteps; ++k) {
        fits &= line.At(kLevels.midpoint[k]) == k &&
                line.At(kLevels.midpoint[k] + 1) == k + 1;
      }
      if (fits) return line;
    }
    return {0, 0, 0};
  }
  static constexpr Line kLevelOf = FindLevelLine();
  static constexpr Line kValueOf = {
      (2 * int64_t{kWhite} * 4096 + kSteps) / (2 * kSteps), 2048, 12};
  static constexpr Line kSampleOf = {count == 8 ? 9 : 4, 0, 2};

  // s is a value plus a weighted mean of errors, rounded.
  static constexpr bool AreRight() {
    for (int s = kLevels.min_error; s <= kWhite + kLevels.max_error; ++s) {
      const int k = Nearest(s);
      if (kLevelOf.At(s) != k) return false;
      if (kValueOf.At(k) != kLevels.value[k]) return false;
      if (kSampleOf.At(k) != kLevels.sample[k]) return false;
    }
    return true;
  }
  static_assert(AreRight());

  template <Line line>
  static __device__ int At(int x) {
    return (x * static_cast<int>(line.mul) + static_cast<int>(line.add)) >>
           line.shift;
  }

  static __device__ int Quantize(int z, uint32_t& packed) {
    const int k = At<kLevelOf>(kStateOutside - z);
    packed = packed << kBits | static_cast<uint32_t>(At<kSampleOf>(k));
    return z + At<kValueOf>(k);
  }
};

}  // namespace halftoned::cuda
