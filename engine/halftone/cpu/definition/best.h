// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `best`, as docs/reference/bits.md defines it, for a whole page or for the
// rest of one: the bits, and the carry at each row that has one.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "halftone/cpu/kernel.h"
#include "halftone/cpu/swap.h"

namespace halftoned {

class BestPage {
 public:
  // The job's rows are those from the carry to the end of the page. The job
  // outlives this; its bits and its carry do not change.
  explicit BestPage(const KernelJob& job);

  // Writes the samples of a row, which are still 0.
  void PutSamples(int64_t row, std::byte* samples) const;

  // The state at a row that is a multiple of kBestStep, and from which the page
  // has kBestLookAhead further rows.
  Carry CarryAt(int64_t row) const;

 private:
  // Rows of the page, and some above and below it that are 0.
  class Rows {
   public:
    Rows(int64_t first_row, int64_t rows, size_t bytes);
    std::byte* At(int64_t row) {
      return bytes_.data() + static_cast<size_t>(row - first_row_) * pitch_ +
             SwapRows::kPad;
    }
    const std::byte* At(int64_t row) const {
      return const_cast<Rows*>(this)->At(row);  // NOLINT
    }

   private:
    int64_t first_row_;
    size_t pitch_;
    std::vector<std::byte> bytes_;
  };

  void ReadGray();
  void ReadCarry();
  // Rows below the first one that the carry has bits for.
  int done() const { return begins_ ? 0 : kBestRowsBelow; }
  // The bits of `fine` down to a row, 1 for the upper level, and its state
  // there.
  Carry FirstPass(int64_t end_row, Rows& bits) const;
  // The sample of one of the two levels around a pixel's value.
  int SampleOf(int64_t row, int32_t column, bool is_upper) const;
  void Copy(const Rows& from, Rows& to) const;
  // Turns the bits into those after a sweep. first: the row of an even block,
  // at or above the first row to process.
  void Sweep(Rows& bits, int64_t first, int32_t shift);
  void SwapRow(Rows& bits, int64_t first, int32_t shift);

  const KernelJob& job_;
  const Levels levels_;
  const int32_t width_;
  const int64_t first_row_;
  const int64_t end_row_;
  const bool begins_;  // the page does, at first_row_
  const std::optional<PaperTable> paper_;
  Rows lower_;  // levels: the lower one around each value
  Rows tones_;
  Rows gray_;
  Rows first_;   // bits of the first pass
  Rows swept_;   // … after the first sweep
  Rows second_;  // … and after the second
};

}  // namespace halftoned
