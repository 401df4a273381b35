// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of cells of 8 × 8 pixels, reduced to the least and the most light of
// each cell, to find where codes may be. It knows no symbology.
//
// A cell has contrast if its samples and those of the cell to its left span a
// quarter of the range. A stretch is a run of cells in which at least two have
// contrast, and fewer than eight in a row have none. Its threshold is halfway
// between the median of the least light and the median of the most light of the
// cells with contrast, or of up to 31 of them.
//
// A top is a run of at least six cells where something dark starts: the cell
// above each spans less than a quarter of the range, and is lighter than the
// darkest pixel of the cell by a quarter.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "halftone/look/codes/bar_edges.h"

namespace halftoned {

class KeptCells {
 public:
  // Number of rows of cells that are kept. Their pixels are dropped earlier.
  static constexpr int64_t kKept = 24;

  struct Run {
    int64_t first, end;  // cells
  };

  explicit KeptCells(const LightRows& rows);

  // Adds the next row of cells; empty spans if none of its pixels is gray.
  void Add(std::span<const uint16_t> least, std::span<const uint16_t> most);
  int64_t count() const { return count_; }

  // The stretches, tops and runs of row `at`, one of the last kKept rows.
  std::span<const Stretch> StretchesAt(int64_t at) const {
    return RowAt(at).stretches;
  }
  std::vector<Run>& TopsAt(int64_t at) {
    return rows_[static_cast<size_t>(at) % rows_.size()].tops;
  }
  // Cells with contrast.
  std::span<const Run> RunsAt(int64_t at) const { return RowAt(at).runs; }
  // Whether any of these cells have contrast, and how many. Cells beside or
  // above the page have none.
  bool HasContrast(int64_t at, int64_t first, int64_t end) const {
    uint64_t all = 0;
    ForContrast(at, first, end, [&](uint64_t bits) { all |= bits; });
    return all != 0;
  }
  int64_t CountContrast(int64_t at, int64_t first, int64_t end) const {
    size_t count = 0;
    ForContrast(at, first, end, [&](uint64_t bits) { count += OnesOf(bits); });
    return static_cast<int64_t>(count);
  }
  bool IsContrast(int64_t at, int64_t cell) const {
    if (at < 0 || cell < 0 || cell >= cells_) return false;
    const auto i = static_cast<uint64_t>(cell);
    return (RowAt(at).contrast[i / 64] >> i % 64 & 1) != 0;
  }
  // Whether a cell is known to have only dark or only light pixels.
  bool IsAll(bool dark, int64_t at, int64_t cell, int light_from) const {
    if (at >= count_ || !RowAt(at).has_gray) return false;
    const auto i = static_cast<size_t>(cell);
    return dark ? RowAt(at).most[i] < light_from
                : RowAt(at).least[i] >= light_from;
  }
  // The least and the most light of a cell. Both are the highest possible if no
  // pixel of its row is gray, or if the cell is above the page.
  int LeastAt(int64_t at, int64_t cell) const;
  int MostAt(int64_t at, int64_t cell) const;
  // Whether at least three of `count` rows of cells from `at` on change between
  // dark and light at a cell, and both neighbors do the same, as with
  // horizontal bars.
  bool MayBeBars(int64_t at, int64_t count, int64_t cell) const;

 private:
  struct Row {
    bool has_gray = false;
    std::vector<uint16_t> least, most;
    std::vector<uint64_t> contrast;  // a bit for each cell
    std::vector<Stretch> stretches;
    std::vector<Run> tops;
    std::vector<Run> runs;  // with contrast
  };

  const Row& RowAt(int64_t at) const {
    return rows_[static_cast<size_t>(at) % rows_.size()];
  }
  // Calls `add` with the bits of cells with contrast, up to 64 at a time. Cells
  // beside or above the page have none.
  template <typename AddBits>
  void ForContrast(int64_t at, int64_t first, int64_t end,
                   const AddBits& add) const {
    first = std::max(first, int64_t{0});
    end = std::min(end, cells_);
    if (at < 0 || first >= end) return;
    const uint64_t* const contrast = RowAt(at).contrast.data();
    const auto from = static_cast<uint64_t>(first);
    const auto last = static_cast<uint64_t>(end - 1);
    const uint64_t since = ~uint64_t{0} << from % 64;
    const uint64_t to = ~uint64_t{0} >> (63 - last % 64);
    if (from / 64 == last / 64) return add(contrast[from / 64] & since & to);
    add(contrast[from / 64] & since);
    for (uint64_t i = from / 64 + 1; i < last / 64; ++i) add(contrast[i]);
    add(contrast[last / 64] & to);
  }
  void SetBits(std::vector<uint64_t>& bits) const;
  void FindStretches(Row& row);
  Stretch StretchOf(const Row& row, const Run& all) const;
  void FindTops(Row& row, const Row* above);

  const int64_t columns_, cells_;
  const uint16_t highest_, quarter_;
  int64_t count_ = 0;
  std::array<Row, kKept> rows_;
  std::vector<uint8_t> marks_;  // 1 or 0 for each cell; whole words of bits
  std::vector<uint64_t> bits_;  // marks_ as bits
};

}  // namespace halftoned
