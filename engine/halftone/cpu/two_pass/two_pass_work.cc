// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/cpu/two_pass/two_pass_work.h"

#include <algorithm>

namespace halftoned {
namespace {

int64_t WholeSteps(int64_t row) { return row / kBestStep * kBestStep; }

}  // namespace

// Where a page begins, the blocks of the first sweep reach above it.
TwoPassWork::TwoPassWork(TwoPassRows& rows, int64_t first_row, bool is_at_start,
                         int32_t rows_of_step)
    : rows_(rows),
      rows_of_step_(rows_of_step),
      wanted_(first_row),
      first_pass_(first_row),
      swept_(first_row + (is_at_start ? 0 : kBestRowsBelow)),
      finished_(first_row),
      step_end_(first_row) {
  const int64_t second = WholeSteps(first_row);
  const int64_t first = second + kBestShift - (is_at_start ? kBestStep : 0);
  next_ = {first, first + kBestBlock, second, second + kBestBlock};
}

void TwoPassWork::SetEnd(int64_t end_row, bool is_page_whole) {
  is_page_whole_ = is_page_whole;
  if (is_page_whole) rows_.End(end_row);
  wanted_ = end_row;
}

int64_t TwoPassWork::FirstPassEnd() const {
  const int64_t end_of_window =
      finished_ - kBestRowsAbove + WindowFor(rows_of_step_);
  return std::max(std::min(wanted_, end_of_window), first_pass_);
}

bool TwoPassWork::HasBlocks() {
  if (!is_stepping_ && !BeginStep()) return false;
  return unbegun_ > 0;
}

bool TwoPassWork::BeginStep() {
  const bool is_whole = is_page_whole_ && first_pass_ >= wanted_;
  step_end_ = WholeSteps(finished_ + rows_of_step_);
  if (is_whole && wanted_ <= step_end_ + kMargin) {
    step_end_ = wanted_;
  } else {
    step_end_ = std::min(
        step_end_,
        WholeSteps(std::max(first_pass_ - kBestLookAhead, int64_t{0})));
  }
  if (step_end_ <= finished_) return false;
  is_stepping_ = true;
  stage_ = 0;
  EnterStage();
  return true;
}

int64_t TwoPassWork::EndOfStage(size_t stage) const {
  if (is_page_whole_ && step_end_ == wanted_) return wanted_;
  constexpr int64_t kEnds[kStages] = {kBestShift + kBestStep + 1,
                                      kBestShift + kBestBlock + 1, 1,
                                      1 - kBestBlock};
  return step_end_ + kEnds[stage];
}

bool TwoPassWork::EnterStage() {
  for (; stage_ < kStages; ++stage_) {
    if (stage_ == 2) EndFirstSweep();
    const int64_t rows = EndOfStage(stage_) - next_[stage_];
    if (rows <= 0) continue;
    unbegun_ = unended_ = (rows + kBestStep - 1) / kBestStep;
    return false;
  }
  return true;
}

void TwoPassWork::EndFirstSweep() {
  const bool is_last = is_page_whole_ && step_end_ == wanted_;
  const int64_t end = is_last ? wanted_ : step_end_ + kBestStep + kBestShift;
  for (; swept_ < end; ++swept_) rows_.EndFirstSweep(swept_);
}

SwapRows TwoPassWork::NextBlocks() {
  --unbegun_;
  const int64_t first_row = next_[stage_];
  next_[stage_] += kBestStep;
  return rows_.BlocksAt(first_row, stage_ < 2 ? 0 : 1);
}

bool TwoPassWork::EndBlocks() {
  if (--unended_ > 0) return false;
  ++stage_;
  return EnterStage();
}

void TwoPassWork::EndStep() {
  finished_ = step_end_;
  is_stepping_ = false;
}

}  // namespace halftoned
