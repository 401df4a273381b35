// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The classic kernels, as docs/reference/bits.md defines them: errors spread as
// far as two rows down, and runs of one color along a row may have a least
// length. With more than two levels, black and white are the two
// levels around the value, as in fine.cc.

#include <algorithm>

#include "halftone/cpu/classic_table.h"
#include "halftone/cpu/definition/methods.h"

namespace halftoned {
namespace {

// The error sums of a row and of the two rows below it.
class SumsOfThreeRows {
 public:
  // carry: the errors that rows above the band pass to its first two rows.
  SumsOfThreeRows(Carry& carry, const ClassicKernel& kernel)
      : carry_(carry),
        kernel_(kernel),
        row_(carry.plane(0).begin(), carry.plane(0).end()),
        passed_(carry.plane(1).begin(), carry.plane(1).end()),
        below_(row_.size()),
        lowest_(row_.size()) {}

  int At(int32_t column) const { return row_[static_cast<size_t>(column)]; }

  void Spread(int32_t column, int error) {
    int rest = error;
    const auto part = [&](size_t i) {
      const int p = ClassicKernel::Part(kernel_.factor(i), error);
      if (i != ClassicKernel::kDown) rest -= p;
      return p;
    };
    Add(row_, column + 1, part(0));
    Add(row_, column + 2, part(1));
    for (int32_t aside = -2; aside <= 2; ++aside) {
      const auto i = static_cast<size_t>(aside + 2);
      if (aside != 0) {
        Add(below_, column + aside, part(ClassicKernel::kBelow + i));
      }
      Add(lowest_, column + aside, part(ClassicKernel::kLowest + i));
    }
    part(ClassicKernel::kNobody);
    Add(below_, column, rest);
  }

  // Adds the error from the row above to the row below. Pure pixels block it.
  void Pass(int32_t column) {
    Add(below_, column, passed_[static_cast<size_t>(column)]);
  }

  void EndRow() {
    for (size_t j = 0; j < row_.size(); ++j) {
      row_[j] = std::clamp<int>(below_[j], -kMaxErrorSum, kMaxErrorSum);
    }
    passed_.swap(lowest_);
    std::ranges::fill(below_, 0);
    std::ranges::fill(lowest_, 0);
  }

  void Keep() {
    const auto narrow = [](int sum) { return static_cast<int16_t>(sum); };
    std::ranges::transform(row_, carry_.plane(0).begin(), narrow);
    std::ranges::transform(passed_, carry_.plane(1).begin(), narrow);
  }

 private:
  static void Add(std::vector<int>& row, int32_t column, int part) {
    if (column < 0 || column >= static_cast<int32_t>(row.size())) return;
    row[static_cast<size_t>(column)] += part;
  }

  Carry& carry_;
  const ClassicKernel& kernel_;
  std::vector<int> row_;
  std::vector<int> passed_;  // from the row above to the row below
  std::vector<int> below_;
  std::vector<int> lowest_;
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
      if (!is_pure) {
        sums.Spread(j, s - (is_white ? kWhite : 0));
        sums.Pass(j);
      }
      const auto printed = static_cast<size_t>(level + (is_white ? 1 : 0));
      PutSample(bits, j, levels.bits_per_sample, levels.sample[printed]);
    }
    sums.EndRow();
  }
  sums.Keep();
}

}  // namespace

void DefineJarvis(const KernelJob& job) { DefineClassic(job); }
void DefineStucki(const KernelJob& job) { DefineClassic(job); }
void DefineBurkes(const KernelJob& job) { DefineClassic(job); }
void DefineSierra(const KernelJob& job) { DefineClassic(job); }
void DefineAtkinson(const KernelJob& job) { DefineClassic(job); }
void DefineFalseFloydSteinberg(const KernelJob& job) { DefineClassic(job); }

}  // namespace halftoned
