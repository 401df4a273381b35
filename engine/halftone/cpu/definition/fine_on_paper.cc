// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `fine` with print feedback, as docs/reference/bits.md defines it: a pixel's
// error is computed from the light that paper shows, not from that of its
// square; noise moves the threshold, and the first dots below the outside of
// the page are delayed. Its state is 2 D + b, with the bit b.

#include <algorithm>

#include "halftone/cpu/definition/methods.h"
#include "halftone/page/feedback_table.h"
#include "halftone/page/fine_table.h"
#include "halftone/page/print_feedback.h"

namespace halftoned {
namespace {

int DistanceFromAbove(const StateRows& states, int32_t j) {
  return std::min({(states.Above(j) >> 1) + kFineNear,
                   (states.Above(j - 1) >> 1) + kFineAcross,
                   (states.Above(j + 1) >> 1) + kFineAcross});
}

int ShiftOnPaper(const FineRow& row, int distance) {
  return row.lift +
         std::min(row.gain * (distance - row.onset) >> 4, kFineMaxShift);
}

// The light that is taken from the page in addition to that of the pixel's own
// square.
int LightTaken(const StateRows& states, int32_t j, bool is_white,
               int strength) {
  const int around = (states.Left(j) & 1) + (states.Above(j) & 1);
  const bool is_across_white = (states.Above(j - 1) & 1) != 0;
  return strength * kWindowLight.Of(around, is_across_white, is_white) >> 4;
}

}  // namespace

void DefineFineOnPaper(const KernelJob& job) {
  const PrintFeedback feedback(job.recipe.parameter(Recipe::kFeedback));
  ErrorSums sums(job.carry.plane(0));
  StateRows states(job.carry.plane(1), kFinePaper);
  for (int32_t i = 0; i < job.gray.rows; ++i) {
    std::byte* bits = EmptyBits(job, i);
    uint16_t random = NoiseAtRow(job.carry.next_row() + i);
    for (int32_t j = 0; j < job.page.width(); ++j) {
      const int v = CurvedValue(job, i, j);
      const int tone = FineToneOf(v);
      const bool is_dark = tone < 128;
      const FineRow& row = kFineTable[static_cast<size_t>(FineRowOf(tone))];
      const int from_above = DistanceFromAbove(states, j);
      const int distance = std::min(
          {(states.Left(j) >> 1) + kFineNear, from_above, int{kFineFar}});
      const int shift = ShiftOnPaper(row, distance);
      const int noise = NoiseOf(random, feedback.noise(tone));
      const bool is_pure = IsPure(job.recipe, v);
      const int delay = from_above >= kBelowOutside ? DelayOf(random, v) : 0;
      const int s = is_pure ? v : v + sums.At(j) + delay;
      const bool is_white = s + noise + (is_dark ? shift : -shift) > kWhite / 2;
      int e = s - (is_white ? kWhite : 0) + feedback.bias(v) +
              LightTaken(states, j, is_white, feedback.strength(tone));
      if (tone == 0 || tone == 255) e -= (e + 4) >> 3;
      const int own = 2 * (is_white == is_dark ? 0 : distance) + is_white;
      states.Set(j, is_pure ? kFinePaper : own);
      sums.Spread(
          j, e, {row.right, row.down_right, row.down_left, row.down_left_left});
      PutSample(bits, j, 1, is_white ? 1 : 0);
      random = static_cast<uint16_t>(random * kNoiseFactor);
    }
    sums.EndRow();
    states.EndRow();
  }
}

}  // namespace halftoned
