// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds bar codes, matrix codes and hard text in gray rows, and the threshold
// that parts their bars from their ground. It knows neither curve nor dots.
//
// The page is divided into cells of 8 × 8 pixels from its first row and column
// on; those at its right and lower edge may be cut off. Samples count as they
// rise with the light, from 0 to M. The window of a cell are the cells that are
// at most 2 rows and 4 columns of cells away, and on the page.
//
// Of a window, l and m are its least and its most light. The threshold of a
// cell is t = ⌊(l + m) / 2⌋ of its window; its pixels above t are light, the
// others dark. A pixel is vague if it differs from t by at most ⌊(m − l) / 6⌋.
// A turn is a pair of a light and a dark pixel that are neighbours in a row, or
// in a column, of one cell. A cell has contrast if 16 (m − l) ≥ 5 M; the turns
// and the vague pixels of other cells do not count.
//
// A cell with contrast is sure if its window has at least 52 turns in rows or
// at least 94 in columns, and at most 3/2 as many vague pixels as turns. A cell
// belongs to a code if it has contrast, and there is a sure cell in its window.

#ifndef HALFTONED_HALFTONE_LOOK_CODE_CELLS_H_
#define HALFTONED_HALFTONE_LOOK_CODE_CELLS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "halftone/cpu/simd/edge_bits.h"
#include "halftone/page/page.h"

namespace halftoned {

// The rows of a row of cells, at least one.
using CellRows = std::span<const std::byte* const>;

class CodeCells {
 public:
  // Rows of cells below one that are known before it is decided.
  static constexpr int64_t kRowsAhead = 6;

  CodeCells(const Page& page, uint16_t flip, const simd::EdgeKernels& kernels);

  // The light of the next row of cells.
  void Measure(CellRows rows);
  // The turns of the next row of cells: those two below it are measured, unless
  // the page ends before.
  void Count(CellRows rows);
  // What to change in row of cells `at`, and to hand to EdgeKernels::decide.
  // False if there is nothing. The four below it are counted, unless the page
  // ends before.
  bool Decide(int64_t at);
  const std::byte* levels(int64_t at) const { return RowAt(at).levels.data(); }
  const uint64_t* mask() const { return mask_.data() + 1; }

 private:
  static constexpr int64_t kUp = 2;
  static constexpr int64_t kSide = 4;
  static constexpr size_t kKept = 2 * kRowsAhead + 1;

  // Of cells as bytes of words, with a word before the first and after the
  // last.
  using CellBytes = std::vector<uint64_t>;

  struct Row {
    std::vector<uint16_t> least, most;  // of each cell
    CellBytes contrast, sure;           // all ones or none
    CellBytes across, down, vague;      // numbers of turns and of pixels
    std::vector<std::byte> levels;      // what is light, for each column
    bool has_contrast = false, has_sure = false;
  };

  Row& RowAt(int64_t at) { return rows_[static_cast<size_t>(at) % kKept]; }
  const Row& RowAt(int64_t at) const {
    return rows_[static_cast<size_t>(at) % kKept];
  }
  void SetLevels(Row& row);
  void AddTurns(Row& row, CellRows rows);
  void FindSure(int64_t at);
  // Of rows at most kUp away, the sums of these numbers for the window of each
  // cell, in sums_.
  void AddWindows(int64_t at, CellBytes Row::*numbers,
                  std::vector<uint16_t>& sums);

  const size_t columns_;
  const size_t cells_;
  const size_t words_;
  const size_t sample_bytes_;
  const uint16_t flip_;
  const int highest_;
  const simd::EdgeKernels kernels_;

  std::array<Row, kKept> rows_;
  int64_t measured_ = 0;
  int64_t counted_ = 0;
  int64_t judged_ = 0;  // rows of which the sure cells are known
  // Of the cells and of some beside the page.
  std::vector<uint16_t> least_, most_, across_, down_, vague_sum_;
  std::vector<std::byte> room_, low_, high_;
  std::vector<uint64_t> light_, next_, vague_from_, vague_end_;
  std::vector<uint64_t> mask_;
};

}  // namespace halftoned

#endif  // HALFTONED_HALFTONE_LOOK_CODE_CELLS_H_
