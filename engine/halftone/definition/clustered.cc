// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `clustered`, as ARCHITECTURE.md defines it: Floyd and Steinberg's weights,
// and a pixel is the likelier to be what its neighbours are.

#include "halftone/definition/methods.h"

namespace halftoned {

void DefineClustered(const KernelJob& job) {
  const int feedback = job.recipe.parameter(Recipe::kFeedback);
  ErrorSums sums(job.carry.plane(0));
  StateRows printed(job.carry.plane(1), 0);  // 1 white, -1 black
  for (int32_t i = 0; i < job.gray.rows; ++i) {
    std::byte* bits = EmptyBits(job, i);
    for (int32_t j = 0; j < job.page.width(); ++j) {
      const int v = CurvedValue(job, i, j);
      const bool is_pure = IsPure(job.recipe, v);
      const int s = is_pure ? v : v + sums.At(j);
      const int bias =
          is_pure ? 0 : feedback * (printed.Left(j) + printed.Above(j));
      const bool is_white = s + bias > kWhite / 2;
      printed.Set(j, is_white ? 1 : -1);
      sums.Spread(j, s - (is_white ? kWhite : 0), kFloydSteinbergWeights);
      PutSample(bits, j, 1, is_white);
    }
    sums.EndRow();
    printed.EndRow();
  }
  sums.Keep();
  printed.Keep();
}

}  // namespace halftoned
