// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Crisp edges of text (edge_snapper.h) as a stage: a source that passes on
// another source's rows.
//
// The stage holds back one row and fills bands to the height that is asked for,
// so the output does not depend on the bands of its source.

#ifndef HALFTONED_HALFTONE_LOOK_CRISP_EDGES_H_
#define HALFTONED_HALFTONE_LOOK_CRISP_EDGES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "halftone/cpu/simd/pure_bits.h"
#include "halftone/look/edge_snapper.h"
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
  // Fills the first rows of `room`, maybe not all; returns their number.
  Result<int32_t> ReadSome(GrayRoom room);
  Result<void> ReadAhead();

  Source& source_;
  const int32_t rows_at_once_;
  EdgeSnapper edges_;

  std::vector<std::byte> ahead_;  // the row held back, if has_ahead_
  bool has_ahead_ = false;
  bool ended_ = false;  // the source has returned its last row
};

}  // namespace halftoned

#endif  // HALFTONED_HALFTONE_LOOK_CRISP_EDGES_H_
