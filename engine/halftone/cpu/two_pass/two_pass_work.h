// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides what to do next for a page of `best`. The first pass runs ahead, a
// piece at a time. The second pass goes down the page in steps. A step has four
// stages, one after the other: the even rows of blocks in the first sweep, the
// odd ones, and both in the second sweep; those of one stage are independent.
// Meanwhile the first pass makes the rows of the next step.
//
// It only counts rows, and passes the first sweep's rows to the second. Callers
// hold a lock during calls, and work without it.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "halftone/cpu/two_pass/two_pass_rows.h"

namespace halftoned {

class TwoPassWork {
 public:
  // Rows of the window for steps of this many rows. The largest step is the
  // last.
  static constexpr int32_t WindowFor(int32_t rows_of_step) {
    return 2 * (rows_of_step + kMargin);
  }

  // first_row: of the page, or of its carry if the page began above.
  // rows_of_step: a multiple of kBestStep. `rows` outlives this.
  TwoPassWork(TwoPassRows& rows, int64_t first_row, bool is_at_start,
              int32_t rows_of_step);

  // The end of the rows that can be read, which never falls, and whether the
  // page ends there.
  void SetEnd(int64_t end_row, bool is_page_whole);

  // The first row that the first pass has not done, and the row up to which it
  // may go now. One piece is under way at a time.
  int64_t first_pass() const { return first_pass_; }
  int64_t FirstPassEnd() const;
  void EndFirstPass(int64_t row) { first_pass_ = row; }

  // Whether there is a row of blocks to process. Begins the next step, if it
  // can.
  bool HasBlocks();
  // Precondition: HasBlocks().
  SwapRows NextBlocks();
  // A row of blocks has been done. True if that was the last one of the step:
  // its rows, finished() … step_end(), are finished. No other step begins
  // before EndStep.
  bool EndBlocks();
  void EndStep();

  // The first row that is not finished.
  int64_t finished() const { return finished_; }
  int64_t step_end() const { return step_end_; }

 private:
  static constexpr int kStages = 4;
  // Rows by which the last step may be larger than others.
  static constexpr int32_t kMargin = kBestLookAhead + kBestStep;

  bool BeginStep();
  // The first row whose blocks the stage leaves to the next step.
  int64_t EndOfStage(size_t stage) const;
  // Goes to the next stage that has blocks. True if there is none.
  bool EnterStage();
  void EndFirstSweep();

  TwoPassRows& rows_;
  const int32_t rows_of_step_;
  int64_t wanted_;  // of the first pass
  bool is_page_whole_ = false;
  int64_t first_pass_;
  int64_t swept_;  // the first row that the first sweep has not left
  int64_t finished_;
  int64_t step_end_;
  std::array<int64_t, kStages> next_;  // the blocks of each stage
  bool is_stepping_ = false;
  size_t stage_ = 0;
  int64_t unbegun_ = 0;  // rows of blocks of this stage
  int64_t unended_ = 0;
};

}  // namespace halftoned
