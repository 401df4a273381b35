// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fine_table.h as the kernel wants it: floats, a row for each side of the
// middle, and what follows from a row's tone.

#ifndef HALFTONED_HALFTONE_CUDA_SPREAD_FINE_ROWS_H_
#define HALFTONED_HALFTONE_CUDA_SPREAD_FINE_ROWS_H_

#include "halftone/cuda/geometry.h"
#include "halftone/cuda/spread/pixel.h"
#include "halftone/fine_table.h"

namespace halftoned::cuda::spread {

// 1.5 · 2^23: a float near it has no room for fractions, so that an addition
// rounds to an integer, and its bits are kBiasBits plus the rest.
inline constexpr float kBias = 12582912;
inline constexpr uint32_t kBiasBits = 0x4B400000;

// With m the shift that comes of the distance, and w 1 for white and 0 for
// black, and +1 for dark tones and -1 for light ones:
struct alignas(16) FineRowOfFloats {
  float right, down_right, down_left, down_left_left;  // of 1
  float gain;       // by one unit of the distance
  float near;       // added to the distance left or above before that
  float side;       // -1 dark, +1 light
  float threshold;  // white iff side·(m + kBias) + threshold < s
  float stays;      // of 1, of s: 7/8 where an eighth leaks away
  float white;      // what white takes of that
  float pull;       // 0 for a pure pixel, else 1
  float kept;       // side·w + kept is 0 for a rarer dot, else 1

  static constexpr int kQuads = 3;  // of floats, one 16-byte read each

  // A Quad is any struct of x, y, z and w.
  template <class Quad>
  static HALFTONED_BOTH FineRowOfFloats From(const Quad& a, const Quad& b,
                                             const Quad& c) {
    return {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w, c.x, c.y, c.z, c.w};
  }
};

struct FineRows {
  FineRowOfFloats row[kFineConstantRows];

  static constexpr FineRowOfFloats Of(const FineRow& from, bool is_dark,
                                      bool leaks, bool is_pure) {
    const float side = is_dark ? -1.0f : 1.0f;
    FineRowOfFloats to{};
    if (!is_pure) {
      to.right = static_cast<float>(from.right) / 256;
      to.down_right = static_cast<float>(from.down_right) / 256;
      to.down_left = static_cast<float>(from.down_left) / 256;
      to.down_left_left = static_cast<float>(from.down_left_left) / 256;
    }
    to.gain = static_cast<float>(from.gain) / 16;
    to.near = static_cast<float>(kFineNear - from.onset);
    to.side = side;
    to.threshold =
        kWhite / 2 + side * static_cast<float>(from.lift) - side * kBias;
    to.stays = leaks ? 7.0f / 8 : 1;
    to.white = leaks ? -kWhite * 7 / 8 : -kWhite;
    to.pull = is_pure ? 0 : 1;
    to.kept = is_dark ? 1 : 0;
    return to;
  }

  static constexpr FineRows Make() {
    FineRows rows{};
    for (int i = 0; i < kFineRows; ++i) {
      const FineRow& from = kFineTable[static_cast<size_t>(i)];
      rows.row[i] = Of(from, true, i == 0, false);
      rows.row[kFineLightRows + i] = Of(from, false, i == 0, false);
    }
    rows.row[kFinePureBlack] = Of(kFineTable[0], true, false, true);
    rows.row[kFinePureWhite] = Of(kFineTable[0], false, false, true);
    return rows;
  }
};

}  // namespace halftoned::cuda::spread

#endif  // HALFTONED_HALFTONE_CUDA_SPREAD_FINE_ROWS_H_
