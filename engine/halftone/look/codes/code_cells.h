// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds bar codes, matrix codes and hard text in gray rows, and the threshold
// between their bars and their background. It knows neither curve nor dots.
//
// The page is divided into cells of 8 × 8 pixels from its first row and column
// on; those at its right and lower edge may be cut off. Samples are taken so
// that they rise with the light, from 0 to M. The window of a cell consists of
// the cells on the page that are at most 2 rows and 4 columns of cells away.
//
// The least and the most light of a window are l and m, and t = ⌊(l + m) / 2⌋
// is the middle of its cell. A cell has contrast if 16 (m − l) ≥ 5 M; in other
// cells nothing is counted. A pixel is dim if it is at most l + ⌊(m − l) / 4⌋,
// bright if it is at least m − ⌊3 (m − l) / 8⌋, else vague. A turn is a pair of
// neighbors in a row or a column of one cell, of which one is above t and the
// other is not.
//
// A cell with contrast is likely if its window has at least 52 turns in rows or
// at least 94 in columns; at least a fifth of the pixels are bright; there are
// at most three times as many vague pixels as turns; and at most a quarter of
// the pixels are vague, or at most 5/4 as many as there are turns.
//
// Unlike the edges of codes, many edges in pictures reach either dim or bright,
// but not both. A cell is torn if it has turns, a dim pixel and a bright pixel,
// as its own window defines them. A likely cell is clear if at least three
// fifths of those cells in its window that have turns are torn; there are at
// most twice as many vague pixels as turns; and at most 7/8 of the pixels are
// bright. A clear cell is a core if there are at least 26 clear cells in its
// window, itself included. A likely cell is sure if there are at least 21
// likely cells and a core in its window. A cell is enclosed if there are sure
// cells at most 7 rows above it and at most 7 rows below it, each at most 4
// columns of cells away: wide horizontal bars and spaces, side by side, have
// few turns. A cell belongs to a code if it has contrast, and it is enclosed,
// or there is a sure cell in its window.
//
// In such a cell the pixels above a threshold are light, the others dark. Let d
// and b be the means, rounded down, of the highest eight bits of the dim and of
// the bright pixels of its window. The threshold is ⌊(d + b) / 2⌋, for the
// highest eight bits; if there are no dim or no bright pixels, it is t.
// Therefore, neither the ringing of scaled pictures nor dark spots beside the
// bars shift it.
//
// A cell without contrast belongs to the quiet zone of a code if there are sure
// cells at most 4 rows and 4 columns of cells away, and its pixels are above
// the middles of all of these. Its pixels are all light. An enclosed cell
// without contrast is all light or all dark if its pixels are above the middles
// of all sure cells at most 7 rows and 4 columns of cells away, or below all of
// them.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "halftone/cpu/simd/bits/edge_bits.h"
#include "halftone/page/page.h"

namespace halftoned {

// The rows of a row of cells, at least one.
using CellRows = std::span<const std::byte* const>;

class CodeCells {
 public:
  // How many rows of cells below a row are known before it is decided.
  static constexpr int64_t kRowsAhead = 15;

  CodeCells(const Page& page, uint16_t flip, const simd::EdgeKernels& kernels);

  // The least and the most light of each cell of the next row of cells.
  void Measure(std::span<const uint16_t> least, std::span<const uint16_t> most);
  // Counts in the next row of cells. Precondition: the two rows below it are
  // measured, unless the page ends before.
  void Count(CellRows rows);
  // Finds what to change in row of cells `at`, for EdgeKernels::decide. False
  // if there is nothing. Precondition: at least thirteen rows below it are
  // counted, unless the page ends before.
  bool Decide(int64_t at);
  const std::byte* levels() const { return light_from_.data(); }
  const uint64_t* mask() const { return mask_.data() + 1; }

 private:
  static constexpr int64_t kUp = 2;        // rows of a window, on either side
  static constexpr int64_t kQuietUp = 4;   // rows of a quiet zone
  static constexpr int64_t kEnclosed = 7;  // rows from an enclosed cell
  static constexpr size_t kKept = 2 * kRowsAhead + 1;

  // Values of cells as bytes of words, with a word before the first and after
  // the last.
  using CellBytes = std::vector<uint64_t>;

  struct Row {
    std::vector<uint16_t> least, most;          // of each cell
    std::vector<uint16_t> threshold;            // of each cell with contrast
    std::vector<uint16_t> dim_sum, bright_sum;  // of highest bits
    CellBytes contrast, sure, core;             // all ones or none
    CellBytes turning, torn, likely, clear;     // 1 or 0
    CellBytes across, down;                     // numbers of turns
    CellBytes pixels, bright, vague;            // numbers of pixels
    bool has_contrast = false, has_likely = false, has_clear = false;
    bool has_core = false, has_sure = false;
  };

  Row& RowAt(int64_t at) { return rows_[static_cast<size_t>(at) % kKept]; }
  void JoinExtremes(int64_t at);
  void SetLevels(Row& row, size_t height);
  void AddCounts(Row& row, CellRows rows);
  bool JoinBytes(int64_t first, int64_t end, bool Row::*has,
                 CellBytes Row::*cells);
  void FindLikely(int64_t at);
  void FindClear(int64_t at);
  void FindCores(int64_t at);
  void FindSure(int64_t at);
  bool HasSureWithin(int64_t at, int64_t reach);
  void FindEnclosed(int64_t at);
  bool FindCode(int64_t at);
  void SetThresholds(int64_t at);
  void JoinMiddles(int64_t at, int64_t reach);
  void AddQuiet(int64_t at);
  void AddEnclosed(int64_t at);
  void Fill(std::vector<std::byte>& levels, size_t cell, int level) const;
  // Adds up these numbers for the window of each cell of a row: the numbers of
  // those rows before `end` whose `has` is set.
  template <typename Numbers, typename Sum>
  void AddWindows(int64_t at, int64_t end, bool Row::*has,
                  Numbers Row::*numbers, std::vector<Sum>& sums);

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
  int64_t weighed_ = 0;  // rows of which the likely cells are known
  int64_t cored_ = 0;    // rows of which the cores are known
  int64_t judged_ = 0;   // rows of which the sure cells are known
  // Values of the cells and of some beside the page.
  std::vector<uint16_t> least_, most_;
  // The least light that is above the middles of some sure cells, the highest
  // and the lowest of them.
  std::vector<uint16_t> above_, below_;
  std::vector<uint16_t> across_, down_, pixels_, bright_, vague_;
  std::vector<uint16_t> turning_, torn_, likely_;
  std::vector<uint32_t> dim_sum_, bright_sum_;
  std::vector<std::byte> light_from_, dim_from_, bright_from_;
  std::vector<uint64_t> joined_, enclosed_, mask_;
};

}  // namespace halftoned
