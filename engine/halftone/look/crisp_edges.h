// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Crisp edges of text: a source that passes on another source's rows and turns
// gray pixels on an edge between black and white into one of the two. Such
// pixels come from smoothing and scaling, and would be dotted.
//
// A pixel's value is that after the tone curve. A pixel is pure if its value is
// 0 or 4080. A pixel that is not pure, and that has both a neighbour of value 0
// and one of value 4080 among its eight neighbours on the page, becomes white
// if its value is above 2040, else black. Neighbours count as they were in the
// source. If the curve maps nothing to pure black, or nothing to pure white,
// nothing changes.
//
// The stage holds back one row and fills bands to the height that is asked for,
// so the output does not depend on the bands of its source.

#ifndef HALFTONED_HALFTONE_LOOK_CRISP_EDGES_H_
#define HALFTONED_HALFTONE_LOOK_CRISP_EDGES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "halftone/cpu/simd/pure_bits.h"
#include "halftone/page/page.h"
#include "halftone/page/tone_curve.h"
#include "halftone/run/flow.h"

namespace halftoned {

class CrispEdges : public Source {
 public:
  // `source` gives the rows of `page`, and outlives this. The curve is
  // monotonic.
  CrispEdges(Source& source, const Page& page, const ToneCurve& curve)
      : CrispEdges(source, page, curve,
                   simd::FastestPureKernels(page.depth())) {}
  // For tests and benches: with kernels for the page's depth.
  CrispEdges(Source& source, const Page& page, const ToneCurve& curve,
             const simd::PureKernels& kernels);

  Result<Filled> Read(GrayRoom room) override;
  void Cancel() override { source_.Cancel(); }

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

  // Fills the first rows of `room`, maybe not all; returns their number.
  Result<int32_t> ReadSome(GrayRoom room);
  Result<void> ReadAhead();
  // Takes the next row, or the page's end, and snaps the row above it.
  void Add(std::byte* row);
  void AddEnd();
  void Advance();
  void SnapLast();

  Source& source_;
  const Page page_;
  const int32_t rows_at_once_;
  const size_t words_;  // of a row's bits
  const simd::PureKernels kernels_;
  simd::PureLimits limits_{};
  uint16_t snap_white_ = 0;  // flipped samples from here on become white
  bool has_pure_ = false;

  std::vector<std::byte> ahead_;  // the row held back, if has_ahead_
  bool has_ahead_ = false;
  bool ended_ = false;  // the source has returned its last row
  // The row added last, whose bits here_ has; before the first row there are
  // none, so nothing is snapped.
  std::byte* last_ = nullptr;
  RowBits above_;
  RowBits here_;
  RowBits below_;
};

}  // namespace halftoned

#endif  // HALFTONED_HALFTONE_LOOK_CRISP_EDGES_H_
