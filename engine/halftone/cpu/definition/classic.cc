// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The classic kernels, as docs/reference/bits.md defines them: errors spread as
// far as two rows down, and runs of one color along a row may have a minimum
// length. With more than two levels, black and white are the two levels around
// the value, as in fine.cc.

#include <algorithm>
#include <array>
#include <span>

#include "halftone/cpu/classic_table.h"
#include "halftone/cpu/definition/methods.h"

namespace halftoned {
namespace {

// The error sums of a row and of the two rows below it, in the planes of the
// carry alone: behind the pixel, these already hold the sums of the next rows.
class SumsOfThreeRows {
 public:
  // carry: the errors that rows above the band pass to its first two rows.
  SumsOfThreeRows(Carry& carry, const ClassicKernel& kernel)
      : row_(carry.plane(0)), passed_(carry.plane(1)), kernel_(kernel) {}

  // column: that of the next Spread.
  int At(int32_t column) const {
    return row_[static_cast<size_t>(column)] + beside_[0];
  }

  // Once for each pixel of a row, from left to right. A pure pixel, whose error
  // is 0, blocks the error from the row above to the row below.
  void Spread(int32_t column, int error, bool is_pure) {
    int rest = error;
    const auto part = [&](size_t i) {
      const int p = ClassicKernel::Part(kernel_.factor(i), error);
      if (i != ClassicKernel::kDown) rest -= p;
      return p;
    };
    beside_ = {beside_[1] + part(0), part(1)};
    for (size_t i = 0; i < next_.size(); ++i) {
      if (i != kMiddle) next_[i] += part(ClassicKernel::kBelow + i);
      last_[i] += part(ClassicKernel::kLowest + i);
    }
    part(ClassicKernel::kNobody);
    next_[kMiddle] += rest;
    if (!is_pure) next_[kMiddle] += passed_[static_cast<size_t>(column)];
    Complete(column - 2);
  }

  void EndRow() {
    const auto width = static_cast<int32_t>(row_.size());
    Complete(width - 2);
    Complete(width - 1);
    beside_ = {};
    next_ = last_ = {};
  }

 private:
  // Moves on by a column: the first sums of both rows below are complete.
  void Complete(int32_t column) {
    if (column >= 0) {
      const auto at = static_cast<size_t>(column);
      row_[at] = static_cast<int16_t>(
          std::clamp<int>(next_[0], -kMaxErrorSum, kMaxErrorSum));
      passed_[at] = static_cast<int16_t>(last_[0]);
    }
    next_ = {next_[1], next_[2], next_[3], next_[4], 0};
    last_ = {last_[1], last_[2], last_[3], last_[4], 0};
  }

  static constexpr size_t kMiddle = 2;

  const std::span<int16_t> row_;
  const std::span<int16_t> passed_;  // from the row above to the row below
  const ClassicKernel& kernel_;
  // The next two columns of the row, and of both rows below the columns from
  // two before the next pixel to two after it.
  std::array<int, 2> beside_{};
  std::array<int, 5> next_{};
  std::array<int, 5> last_{};
};

// Decides the pixels of a row from left to right.
class RunsOfRow {
 public:
  // Runs have more than `kept` pixels, if the row has.
  RunsOfRow(int32_t width, int32_t kept, int margin)
      : last_change_(width - 1 - kept), kept_(kept), margin_(margin) {}

  bool IsWhite(int32_t column, int s) {
    const bool is_first = column == 0;
    if (!is_first && (column <= kept_until_ || column > last_change_)) {
      return is_white_;
    }
    const int margin = is_first ? 0 : is_white_ ? -margin_ : margin_;
    const bool is_white = s > kWhite / 2 + margin;
    if (is_first || is_white != is_white_) kept_until_ = column + kept_;
    is_white_ = is_white;
    return is_white;
  }

 private:
  const int32_t last_change_;  // columns after it keep their color
  const int32_t kept_;
  const int margin_;
  int32_t kept_until_ = 0;
  bool is_white_ = false;
};

void DefineClassic(const KernelJob& job) {
  const Levels& levels = job.recipe.levels();
  const ClassicKernel& kernel = ClassicKernelOf(job.recipe.algorithm());
  const int32_t kept = job.recipe.parameter(Recipe::kKept);
  SumsOfThreeRows sums(job.carry, kernel);
  for (int32_t i = 0; i < job.gray.rows; ++i) {
    std::byte* bits = EmptyBits(job, i);
    RunsOfRow runs(job.page.width(), kept, kernel.margin(kept));
    for (int32_t j = 0; j < job.page.width(); ++j) {
      const int curved = CurvedValue(job, i, j);
      const auto [level, v] = IntervalOf(curved, levels.count);
      const bool is_pure = IsPure(job.recipe, curved);
      const int s = is_pure ? v : v + sums.At(j);
      const bool is_white = runs.IsWhite(j, s);
      sums.Spread(j, is_pure ? 0 : s - (is_white ? kWhite : 0), is_pure);
      const auto printed = static_cast<size_t>(level + (is_white ? 1 : 0));
      PutSample(bits, j, levels.bits_per_sample, levels.sample[printed]);
    }
    sums.EndRow();
  }
}

}  // namespace

void DefineJarvis(const KernelJob& job) { DefineClassic(job); }
void DefineStucki(const KernelJob& job) { DefineClassic(job); }
void DefineBurkes(const KernelJob& job) { DefineClassic(job); }
void DefineSierra(const KernelJob& job) { DefineClassic(job); }
void DefineAtkinson(const KernelJob& job) { DefineClassic(job); }
void DefineFalseFloydSteinberg(const KernelJob& job) { DefineClassic(job); }

}  // namespace halftoned
