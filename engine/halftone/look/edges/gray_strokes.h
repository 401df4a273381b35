// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Thin strokes of dark gray text, for lasers. Some lasers enlarge the white
// dots inside a stroke, and others fill them, so such text is pale on some
// lasers. A dark line inside its outline depends less on the laser. Values are
// those after the tone curve; 4080 is white.
//
// A pixel becomes darker
//
// - if its cell is near paper (soft_edges.h),
// - if none of the four pixels beside, above and below it has a value of 2200
//   or more, but one of those beside, above and below these is white: it lies
//   just inside an outline, which is not smoothed there,
// - and if there is white both left and right of it, at most 8 columns away, or
//   both above and below it, at most 8 rows away: the stroke is thin.
//
// Its value v becomes v / 3, rounded up. Above 1300, the new value rises
// linearly from 434 to 2200; from there on, nothing changes. It gets the
// darkest sample of at least that value. Black and white stay as they are.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "halftone/cpu/simd/bits/pure_bits.h"
#include "halftone/page/page.h"
#include "halftone/page/tone_curve.h"

namespace halftoned {

class GrayStrokes {
 public:
  static constexpr int64_t kReach = 8;      // rows above and below
  static constexpr int kLightValue = 2200;  // from here on pixels stay

  // The bits of the pure pixels in a row, which is in the middle, and in the
  // rows around it; and the bits of the light pixels in the three middle rows.
  struct Rows {
    std::array<simd::PureRow, 2 * kReach + 1> pure;
    std::array<const uint64_t*, 3> light;
  };

  // limits: of the curve.
  GrayStrokes(const Page& page, const ToneCurve& curve,
              const simd::PureLimits& limits);

  // near_paper: bits, as those of a row.
  void Darken(const Rows& rows, const uint64_t* near_paper, std::byte* row);

 private:
  void DarkenPixels(uint64_t pixels, std::byte* first);
  uint16_t DarkerThan(uint16_t sample);
  void FillDarker();

  const size_t words_;
  const Depth depth_;
  const ToneCurve curve_;
  const uint16_t flip_;
  std::vector<uint16_t> darker_;  // samples, by value; empty until needed
};

}  // namespace halftoned
