// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Crisp edges of text: a source that gives another source's rows, but for gray
// pixels that lie on an edge between black and white. These, which come of
// smoothing and of scaling, would be dotted; they become black or white.
//
// A pixel's value is that of the tone curve. It is pure where its value is 0 or
// 4080. A pixel that is not pure, and that has among its eight neighbours on
// the page both one of value 0 and one of value 4080, becomes white if its
// value is above 2040, and else black. Neighbours count as they came. Where the
// curve makes no pure black, or no pure white, of anything, nothing changes.
//
// It holds one row back, whatever the bands: what comes out does not depend on
// them, and its bands are as tall as they were asked for.

#ifndef HALFTONED_HALFTONE_CRISP_EDGES_H_
#define HALFTONED_HALFTONE_CRISP_EDGES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "halftone/flow.h"
#include "halftone/page.h"
#include "halftone/simd/pure_bits.h"
#include "halftone/tone_curve.h"

namespace halftoned {

class CrispEdges : public Source {
 public:
  // `source` gives the rows of `page`, and outlives this. The curve rises or
  // falls: it does not turn.
  CrispEdges(Source& source, const Page& page, const ToneCurve& curve);

  Result<Filled> Read(GrayRoom room) override;
  void Cancel() override { source_.Cancel(); }

 private:
  // The pure pixels of a row (pure_bits.h), and their memory.
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

  // Fills `room` as far as there are rows: how many.
  Result<int32_t> ReadRows(GrayRoom room);
  Result<void> ReadAhead();
  void Classify(const std::byte* row, PureBits& pure) const;
  void SnapRow(std::byte* row);
  // Snaps a row's pixels: the set bits of `edges`, from `column` on.
  void SnapPixels(std::byte* row, size_t column, uint64_t edges) const;

  Source& source_;
  const Page page_;
  const size_t words_;  // of a row's bits
  const simd::PureKernels kernels_;
  simd::PureLimits limits_{};
  uint16_t snap_white_ = 0;  // turned samples from here on become white
  bool has_pure_ = false;

  std::vector<std::byte> ahead_;  // the row held back, if has_ahead_
  bool has_ahead_ = false;
  bool ended_ = false;  // the source has given its last row
  bool begun_ = false;
  PureBits above_;
  PureBits here_;
  PureBits below_;
  std::vector<uint64_t> edges_;
};

}  // namespace halftoned

#endif  // HALFTONED_HALFTONE_CRISP_EDGES_H_
