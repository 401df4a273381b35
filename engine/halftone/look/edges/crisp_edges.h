// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Crisp edges of text (edge_snapper.h) as a stage: a source that passes on
// another source's rows.
//
// The stage holds back unfinished rows, and fills bands to the requested
// height, so the output does not depend on the bands of its source.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "halftone/look/edges/edge_snapper.h"
#include "halftone/page/page.h"
#include "halftone/page/recipe.h"
#include "halftone/run/flow.h"

namespace halftoned {

class CrispEdges : public Source {
 public:
  // `source` gives the rows of `page`, and outlives this. The recipe's curve is
  // monotonic.
  CrispEdges(Source& source, const Page& page, const Recipe& recipe,
             TextEdges edges)
      : CrispEdges(source, page, EdgeSnapper::Make(page, recipe, edges),
                   edges) {}
  // For tests and benches: with a snapper of the same edges, or none.
  CrispEdges(Source& source, const Page& page,
             std::unique_ptr<EdgeSnapper> snapper, TextEdges edges);

  Result<Filled> Read(GrayRoom room) override;
  void Cancel() override { source_.Cancel(); }

 private:
  // Fills the first rows of `room`, maybe not all, and adds them; returns their
  // number.
  Result<int32_t> ReadSome(GrayRoom room);
  Result<void> ReadAhead();
  std::byte* AheadRow(int32_t nth);

  Source& source_;
  const size_t row_bytes_;
  const int32_t rows_at_once_;
  const int32_t most_ahead_;
  const std::unique_ptr<EdgeSnapper> snapper_;

  // The rows read for the next bands: a ring.
  std::unique_ptr<std::byte[]> ahead_;
  int32_t first_ahead_ = 0;
  int32_t rows_ahead_ = 0;
  bool ended_ = false;  // the source has returned its last row
};

}  // namespace halftoned
