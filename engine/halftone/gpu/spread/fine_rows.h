// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fine_table.h, or another table like it, in the format of the kernel: floats,
// a row for each side of the middle, and what follows from a row's tone.

#pragma once

#include <bit>
#include <cstdint>

#include "halftone/gpu/common/lanes.h"
#include "halftone/gpu/spread/pixel.h"
#include "halftone/page/fine_table.h"

namespace halftoned::cuda::spread {

// 1.5 · 2^23: a float near it has no room for fractions, so that an addition
// rounds to an integer, and its bits are kBiasBits plus the rest.
inline constexpr float kBias = 12582912;
inline constexpr uint32_t kBiasBits = 0x4B400000;

// Added to s, so that it is above zero: |s| is below it, since sums are at most
// 8000, values 4080, and less than 3/5 of what is left goes right.
inline constexpr float kSBias = 32768;
// Added to what is spread: too small to matter except to decide a tie.
inline constexpr float kFineNudge = 1.0f / 256;

// Let m be the shift that depends on the distance:
struct alignas(16) FineRowOfFloats {
  float right, down_right, down_left, down_left_left;  // of 1
  float gain;       // by one unit of the distance
  float near;       // added to the biased distance before that
  float side;       // -1 dark, +1 light
  float threshold;  // white iff side·(m + kBias) + threshold < s + kSBias
  float stays;      // of 1, of s: 7/8 where an eighth leaks away
  float white;      // the bits in which what white takes of that, and the
                    // nudge, differ from the nudge
  float tie;        // added to e before down_left's part is taken; for pure
                    // pixels, which have no e, the bits of a distance to add
  float black_dot;  // the most that the distance is behind a black dot, biased;
                    // kFineFar changes it into that behind a white one

  static constexpr int kQuads = 3;  // of floats, one 16-byte read each

  // A Quad is any struct with x, y, z and w.
  template <class Quad>
  static HALFTONED_BOTH FineRowOfFloats From(const Quad& a, const Quad& b,
                                             const Quad& c) {
    return {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w, c.x, c.y, c.z, c.w};
  }
};

struct FineRows {
  FineRowOfFloats row[kFineConstantRows];

  static constexpr FineRowOfFloats RowFor(const FineRow& from, bool is_dark,
                                          bool leaks, bool is_pure) {
    const float side = is_dark ? -1.0f : 1.0f;
    FineRowOfFloats to{};
    to.gain = static_cast<float>(from.gain) / 16;
    to.near = static_cast<float>(-from.onset) - kBias;
    to.side = side;
    to.threshold = kSBias + kWhite / 2 + side * static_cast<float>(from.lift) -
                   side * kBias;
    to.black_dot = is_dark ? kBias + kFineFar : kBias;
    // What a pure pixel receives does not count: it gives nothing.
    if (is_pure) {
      to.threshold -= side * 2 * kSBias;
      // Nor does its distance: it is kFineFar, as outside the page.
      to.tie = std::bit_cast<float>(int32_t{kFineFar});
      return to;
    }
    to.right = static_cast<float>(from.right) / 256;
    to.down_right = static_cast<float>(from.down_right) / 256;
    to.down_left = static_cast<float>(from.down_left) / 256;
    to.down_left_left = static_cast<float>(from.down_left_left) / 256;
    // A tie, which the eighth causes, goes to the lower number: s + kSBias is
    // above zero and below 2^16.
    to.stays = leaks ? 7.0f / 8 - 1.0f / (1 << 20) : 1;
    const float white = leaks ? -kWhite * 7 / 8 : -kWhite;
    to.white =
        std::bit_cast<float>(std::bit_cast<uint32_t>(white + kFineNudge) ^
                             std::bit_cast<uint32_t>(kFineNudge));
    // The one negative weight: there the opposite nudge decides.
    to.tie = from.down_left < 0 ? -2 * kFineNudge : 0;
    return to;
  }

  static consteval FineRows Make(const ToneTable& table) {
    FineRows rows{};
    for (int i = 0; i < kFineRows; ++i) {
      const FineRow& from = table[static_cast<size_t>(i)];
      rows.row[i] = RowFor(from, true, i == 0, false);
      rows.row[kFineLightRows + i] = RowFor(from, false, i == 0, false);
    }
    rows.row[kFinePureBlack] = RowFor(table[0], true, false, true);
    rows.row[kFinePureWhite] = RowFor(table[0], false, false, true);
    return rows;
  }
};

}  // namespace halftoned::cuda::spread
