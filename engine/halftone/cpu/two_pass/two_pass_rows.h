// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of a page that a session of `best` works on: a window that moves
// down the page, in a ring. For each row it has the tones, which pixels are
// gray, and the bits of the first pass, after the first and after the second
// sweep. With more than two levels, a bit says which of the two levels around
// the value a pixel has, and rows also have the samples of both. Threads may
// work on different rows at the same time.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/result.h"
#include "halftone/cpu/swap.h"
#include "halftone/page/band.h"
#include "halftone/page/carry.h"
#include "halftone/page/page.h"
#include "halftone/page/recipe.h"

namespace halftoned {

class TwoPassRows {
 public:
  // rows: of the ring, and the maximum number of rows in the window.
  static Result<std::unique_ptr<TwoPassRows>> Make(const Page& page,
                                                   const Recipe& recipe,
                                                   int32_t rows);

  // The size of its memory.
  static size_t BytesOf(const Page& page, const Recipe& recipe, int32_t rows);

  int32_t rows() const { return rows_; }
  // The size of a row of an answer.
  size_t sample_bytes() const { return sample_bytes_; }

  // The window begins at the rows that the carry has, or with the page.
  void Begin(const Carry& above, bool is_at_start);
  // The page ends above this row.
  void End(int64_t row) { end_row_ = row; }

  // Takes the gray of a row.
  void Read(int64_t row, const std::byte* samples);
  // The room for the first pass's bits of these rows, all in the same turn of
  // the ring. Only one thread at a time may be between BeginFirstPass and
  // EndFirstPass of all these rows.
  BitRoom BeginFirstPass(int64_t row, int32_t rows);
  int64_t EndOfTurn(int64_t row) const { return row - row % rows_ + rows_; }
  // Hands the first pass's bits of these rows to the first sweep …
  void EndFirstPass(int64_t row, const BitRoom& made);
  // … and the first sweep's to the second.
  void EndFirstSweep(int64_t row);
  // The answer of a row that the second sweep has left.
  void CopySamples(int64_t row, std::byte* to) const;

  // The row of blocks that begins at row `first`, in sweep 0 or 1.
  SwapRows BlocksAt(int64_t first, int sweep) const;

  // Writes the state at a row, without the first pass's own: the window has
  // kBestRowsAbove rows above it.
  void Save(int64_t row, Carry& carry) const;

 private:
  class Plane {
   public:
    Result<void> Allocate(size_t rows, size_t bytes);
    std::byte* At(size_t place) const {
      return bytes_.get() + place * pitch_ + SwapRows::kPad;
    }
    // Sets the row to 0, and what can be read beyond it.
    void Clear(size_t place) const;
    void Copy(const Plane& from, size_t place) const;

   private:
    size_t row_bytes_ = 0;
    size_t pitch_ = 0;
    std::unique_ptr<std::byte[]> bytes_;
  };

  TwoPassRows(const Page& page, const Recipe& recipe, int32_t rows);

  size_t Place(int64_t row) const { return static_cast<size_t>(row % rows_); }
  // The place of a row in planes with one more place, which is 0.
  size_t PlaceOrNone(int64_t row) const {
    return row >= top_row_ && row < end_row_ ? Place(row)
                                             : static_cast<size_t>(rows_);
  }
  void ReadWords(int64_t row, const std::byte* samples);
  bool has_levels() const { return levels_.count > 2; }

  bool IsGray(int v) const { return !is_pure_ || (v != 0 && v != kWhite); }

  const Levels levels_;
  const int32_t width_;
  const Depth depth_;
  const int32_t rows_;
  const size_t bit_bytes_;
  const size_t sample_bytes_;
  const ToneCurve curve_;
  const bool is_pure_;
  const std::optional<PaperTable> paper_;
  std::array<uint8_t, 256> tone_of_{};
  std::array<bool, 256> is_gray_{};
  std::array<std::byte, 256> both_of_{};
  std::vector<std::byte> made_;  // samples of the rows in the first pass
  Plane both_;  // samples of both levels (two_pass_rows.cc), if more than two
  Plane tones_;
  Plane gray_;
  Plane first_;
  Plane swept_;
  Plane second_;
  int64_t top_row_ = 0;
  int64_t end_row_ = Page::kMaxRows;
};

}  // namespace halftoned
