// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `printer-model`, as docs/reference/bits.md defines it: Floyd and Steinberg's
// weights, but a black dot counts as the paper that it newly darkens, which is
// less where it overlaps an earlier dot.

#include <algorithm>

#include "halftone/cpu/definition/methods.h"

namespace halftoned {

void DefinePrinterModel(const KernelJob& job) {
  const int ink = job.recipe.parameter(Recipe::kInk);
  const int overlap = job.recipe.parameter(Recipe::kOverlap);
  // Nothing prints darker than solid, so values below it owe no error.
  const int solid = kWhite - ink + 2 * overlap;
  ErrorSums sums(job.carry.plane(0));
  StateRows dots(job.carry.plane(1), 0);  // 1 black
  for (int32_t i = 0; i < job.gray.rows; ++i) {
    std::byte* bits = EmptyBits(job, i);
    for (int32_t j = 0; j < job.page.width(); ++j) {
      const int v = CurvedValue(job, i, j);
      const int s = std::max(v, solid) + sums.At(j);
      const int dot = ink - overlap * (dots.Left(j) + dots.Above(j));
      const bool is_pure = IsPure(job.recipe, v);
      const bool is_white = is_pure ? v == kWhite : s > kWhite - (dot >> 1);
      const int e = is_pure ? 0 : s - kWhite + (is_white ? 0 : dot);
      dots.Set(j, is_white ? 0 : 1);
      sums.Spread(j, e, kFloydSteinbergWeights);
      PutSample(bits, j, 1, is_white);
    }
    sums.EndRow();
    dots.EndRow();
  }
  sums.Keep();
  dots.Keep();
}

}  // namespace halftoned
