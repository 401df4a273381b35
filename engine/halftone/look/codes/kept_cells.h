// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of cells of 8 × 8 pixels, by their least and their most light: where
// codes may be. It knows no symbology.
//
// A cell has contrast if its samples and those of the cell left of it span a
// quarter of the range. A stretch are cells beside each other, each eighth of
// which or more has contrast. It is parted at the middle between the medians of
// the least and of the most light of those, or of up to 31 of them.
//
// A top are at least six cells beside each other that begin dark: all that is
// above each of them, in one row of cells, is alike, and lighter than something
// in it by a quarter of the range.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "halftone/look/codes/bar_edges.h"

namespace halftoned {

class KeptCells {
 public:
  // Rows of cells that are kept: some more than pixels are.
  static constexpr int64_t kKept = 24;

  struct Run {
    int64_t first, end;  // cells
  };

  explicit KeptCells(const LightRows& rows);

  // The next row of cells; nothing, if none of its pixels is gray.
  void Add(std::span<const uint16_t> least, std::span<const uint16_t> most);
  int64_t count() const { return count_; }

  // These are those of one of the last rows of cells.
  std::span<const Stretch> StretchesAt(int64_t at) const {
    return RowAt(at).stretches;
  }
  std::span<const Run> TopsAt(int64_t at) const { return RowAt(at).tops; }
  // The runs of cells with contrast.
  std::span<const Run> RunsAt(int64_t at) const { return RowAt(at).runs; }
  // Whether any of these cells has contrast, and how many: none beside the page
  // and above it.
  bool HasContrast(int64_t at, int64_t first, int64_t end) const;
  int64_t CountContrast(int64_t at, int64_t first, int64_t end) const;
  // The least and the most light of a cell; the most possible, if no pixel of
  // its row is gray, or above the page.
  int LeastAt(int64_t at, int64_t cell) const;
  int MostAt(int64_t at, int64_t cell) const;
  // Whether three or more of some rows of cells turn between dark and light at
  // a cell and, in the same way, at those beside it, as bars do that lie.
  bool MayBeBars(int64_t at, int64_t count, int64_t cell) const;

 private:
  struct Row {
    bool has_gray = false;
    std::vector<uint16_t> least, most;
    std::vector<uint8_t> contrast;  // 1 or 0; and up to a whole word
    std::vector<Stretch> stretches;
    std::vector<Run> tops;
    std::vector<Run> runs;  // with contrast
  };

  const Row& RowAt(int64_t at) const {
    return rows_[static_cast<size_t>(at) % rows_.size()];
  }
  void FindStretches(Row& row);
  Stretch StretchOf(const Row& row, const Run& all) const;
  void FindTops(Row& row, const Row* above);

  const int64_t columns_, cells_;
  const uint16_t highest_, quarter_;
  int64_t count_ = 0;
  std::array<Row, kKept> rows_;
  std::vector<uint8_t> marks_;  // as contrast
};

}  // namespace halftoned
