// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Crisp edges of text, row by row: gray pixels on an edge between black and
// white become one of the two. Smoothing and scaling produce such pixels, which
// would print as dots.
//
// A pixel's value is that after the tone curve. A pixel is pure if its value is
// 0 or 4080. Neighbors count with their original values. With text-edges=crisp
// a pixel that is not pure, and that has both a neighbor of value 0 and one of
// value 4080 among its eight neighbors on the page, becomes white if its value
// is above 2040, else black. soft_edges.h describes the other effects of soft
// and barcode, and gray_strokes.h those on most lasers. If the curve maps
// nothing to pure black, or nothing to pure white, nothing changes.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "halftone/cpu/simd/bits/pure_bits.h"
#include "halftone/look/settings.h"
#include "halftone/page/page.h"
#include "halftone/page/recipe.h"
#include "halftone/page/tone_curve.h"

namespace halftoned {

// Whether strokes of gray text are darkened: only with more print feedback than
// suits 300 dpi.
bool DarkensStrokes(const Recipe& recipe);

class EdgeSnapper {
 public:
  virtual ~EdgeSnapper() = default;

  // Null if there is nothing to do. The recipe's curve is monotonic.
  static std::unique_ptr<EdgeSnapper> Make(const Page& page,
                                           const Recipe& recipe,
                                           TextEdges edges) {
    return Make(page, recipe.curve(), edges, DarkensStrokes(recipe),
                simd::FastestPureKernels(page.depth()));
  }
  // For tests and benches: with kernels for the page's depth.
  static std::unique_ptr<EdgeSnapper> Make(const Page& page,
                                           const ToneCurve& curve,
                                           TextEdges edges,
                                           bool darkens_strokes,
                                           const simd::PureKernels& kernels);

  // The next row of the page. Rows are changed where they lie.
  virtual void Add(std::byte* row) = 0;
  // The page has no further row: all rows are finished.
  virtual void AddEnd() = 0;
  // Number of trailing unfinished rows; never more than MostUnfinished.
  virtual int32_t unfinished() const = 0;
  // One of these rows, counted from the highest on the page, has been copied to
  // `row`: change it there.
  virtual void Move(int32_t nth, std::byte* row) = 0;
};

// How many rows may be unfinished at a time.
int32_t MostUnfinished(TextEdges edges);

}  // namespace halftoned
