// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floyd–Steinberg error collection, as docs/reference/bits.md defines it.

#include "halftone/cpu/definition/methods.h"

namespace halftoned {
namespace {

int NearestLevel(const Levels& levels, int s) {
  int k = 0;
  while (k < levels.count - 1 && s > levels.midpoint[k]) ++k;
  return k;
}

}  // namespace

void DefineFloydSteinberg(const KernelJob& job) {
  const Levels& levels = job.recipe.levels();
  StateRows errors(job.carry.plane(0), 0);
  for (int32_t i = 0; i < job.gray.rows; ++i) {
    std::byte* bits = EmptyBits(job, i);
    for (int32_t j = 0; j < job.page.width(); ++j) {
      const int v = CurvedValue(job, i, j);
      int s = v + ((7 * errors.Left(j) + errors.Above(j - 1) +
                    5 * errors.Above(j) + 3 * errors.Above(j + 1) + 8) >>
                   4);
      if (IsPure(job.recipe, v)) s = v;
      const int k = NearestLevel(levels, s);
      errors.Set(j, s - levels.value[k]);
      PutSample(bits, j, levels.bits_per_sample, levels.sample[k]);
    }
    errors.EndRow();
  }
}

}  // namespace halftoned
