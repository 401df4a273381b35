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
  CrispEdges(Source& source, const Page& page, const ToneCurve& curve);

  Result<Filled> Read(GrayRoom room) override;
  void Cancel() override { source_.Cancel(); }

 private:
  // Owns the bits of the pure pixels of a row (pure_bits.h).
  class PureBits {
   public:
    explicit PureBits(size_t words) : bits_(2 * (words + 2)) {}
    simd::PureRow row() {
      return {bits_.data() + 1, bits_.data() + bits_.size() / 2 + 1};
    }
    void Clear() { std::fill(bits_.begin(), bits_.end(), 0); }

   private:
    std::vector<uint64_t> bits_;
  };

  // Fills `room` as far as there are rows; returns their number.
  Result<int32_t> ReadRows(GrayRoom room);
  Result<void> ReadAhead();
  void Classify(const std::byte* row, PureBits& pure) const;
  void SnapRow(std::byte* row);
  // Snaps the pixels of a row that are set in `edges`; bit 0 is `column`.
  void SnapPixels(std::byte* row, size_t column, uint64_t edges) const;

  Source& source_;
  const Page page_;
  const size_t words_;  // of a row's bits
  const simd::PureKernels kernels_;
  simd::PureLimits limits_{};
  uint16_t snap_white_ = 0;  // flipped samples from here on become white
  bool has_pure_ = false;

  std::vector<std::byte> ahead_;  // the row held back, if has_ahead_
  bool has_ahead_ = false;
  bool ended_ = false;  // the source has returned its last row
  bool begun_ = false;
  PureBits above_;
  PureBits here_;
  PureBits below_;
  std::vector<uint64_t> edges_;
};

}  // namespace halftoned

#endif  // HALFTONED_HALFTONE_LOOK_CRISP_EDGES_H_
