// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Crisp edges of text, row by row: gray pixels on an edge between black and
// white become one of the two. Such pixels come from smoothing and scaling, and
// would be dotted.
//
// A pixel's value is that after the tone curve. A pixel is pure if its value is
// 0 or 4080. A pixel that is not pure, and that has both a neighbour of value 0
// and one of value 4080 among its eight neighbours on the page, becomes white
// if its value is above 2040, else black. Neighbours count as they were before.
// If the curve maps nothing to pure black, or nothing to pure white, nothing
// changes.
//
// A row is finished when the next one is there: each Add finishes the row
// above.

#ifndef HALFTONED_HALFTONE_LOOK_EDGE_SNAPPER_H_
#define HALFTONED_HALFTONE_LOOK_EDGE_SNAPPER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "halftone/cpu/simd/pure_bits.h"
#include "halftone/page/page.h"
#include "halftone/page/tone_curve.h"

namespace halftoned {

class EdgeSnapper {
 public:
  // The curve is monotonic.
  EdgeSnapper(const Page& page, const ToneCurve& curve)
      : EdgeSnapper(page, curve, simd::FastestPureKernels(page.depth())) {}
  // For tests and benches: with kernels for the page's depth.
  EdgeSnapper(const Page& page, const ToneCurve& curve,
              const simd::PureKernels& kernels);

  // False if the curve leaves nothing to do.
  bool IsNeeded() const { return is_needed_; }

  // The next row of the page; the row above it is changed where it lies, and
  // finished. Precondition: IsNeeded().
  void Add(std::byte* row);
  // The page has no further row: the last one is finished.
  void AddEnd();
  // The row added last has been copied to `row`, and is to be changed there.
  void Move(std::byte* row) { last_ = row; }

 private:
  // Owns the bits of a row's pure pixels (pure_bits.h); at first there are
  // none.
  struct RowBits {
    explicit RowBits(size_t words) : bits(2 * (words + 2)) {}
    simd::PureRow pure() {
      return {bits.data() + 1, bits.data() + bits.size() / 2 + 1};
    }
    std::vector<uint64_t> bits;
    simd::PureKinds kinds{};
  };

  void Advance();
  void SnapLast();

  const size_t columns_;
  const simd::PureKernels kernels_;
  simd::PureLimits limits_{};
  uint16_t snap_white_ = 0;  // flipped samples from here on become white
  bool is_needed_ = false;

  // The row added last, whose bits here_ has; before the first row there are
  // none, so nothing is snapped.
  std::byte* last_ = nullptr;
  RowBits above_;
  RowBits here_;
  RowBits below_;
};

}  // namespace halftoned

#endif  // HALFTONED_HALFTONE_LOOK_EDGE_SNAPPER_H_
