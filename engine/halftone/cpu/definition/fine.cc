// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `fine`, as docs/reference/bits.md defines it: errors are spread by weights
// that depend on the tone, and dots of the rarer kind, black in light tones and
// white in dark ones, are held back until the last one is far enough away. With
// more than two levels, black and white are the two levels around the value.

#include <algorithm>

#include "halftone/cpu/definition/methods.h"
#include "halftone/page/best_first_table.h"

namespace halftoned {
namespace {

// The distance to the last dot of the rarer kind, seen from a column.
int DistanceToDot(const StateRows& distances, int32_t j) {
  return std::min({distances.Left(j) + kFineNear,
                   distances.Above(j) + kFineNear,
                   distances.Above(j - 1) + kFineAcross,
                   distances.Above(j + 1) + kFineAcross, kFineFar});
}

}  // namespace

void DefineFineOnPaper(const KernelJob& job);

void DefineFine(const KernelJob& job) {
  if (job.recipe.has_feedback()) return DefineFineOnPaper(job);
  const ToneTable& table = FineTableOf(job.recipe);
  const Levels& levels = job.recipe.levels();
  ErrorSums sums(job.carry.plane(0));
  StateRows distances(job.carry.plane(1), kFineFar);
  for (int32_t i = 0; i < job.gray.rows; ++i) {
    std::byte* bits = EmptyBits(job, i);
    for (int32_t j = 0; j < job.page.width(); ++j) {
      const int curved = CurvedValue(job, i, j);
      const auto [level, v] = IntervalOf(curved, levels.count);
      const int tone = FineToneOf(v);
      const bool is_dark = tone < 128;
      const FineRow& row = table[static_cast<size_t>(FineRowOf(tone))];
      const int distance = DistanceToDot(distances, j);
      const int shift =
          row.lift +
          std::min(row.gain * (distance - row.onset) >> 4, kFineMaxShift);
      const bool is_pure = IsPure(job.recipe, curved);
      const int s = is_pure ? v : v + sums.At(j);
      const bool is_white = s + (is_dark ? shift : -shift) > kWhite / 2;
      int e = s - (is_white ? kWhite : 0);
      if (tone == 0 || tone == 255) e -= (e + 4) >> 3;
      const int own = is_white == is_dark ? 0 : distance;
      distances.Set(j, is_pure ? kFineFar : own);
      sums.Spread(
          j, e, {row.right, row.down_right, row.down_left, row.down_left_left});
      const auto printed = static_cast<size_t>(level + (is_white ? 1 : 0));
      PutSample(bits, j, levels.bits_per_sample, levels.sample[printed]);
    }
    sums.EndRow();
    distances.EndRow();
  }
}

}  // namespace halftoned
