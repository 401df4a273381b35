// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds linear bar codes whose bars are vertical, or skewed by up to 5 degrees,
// each as a whole, and PDF417. It knows neither curve nor dots.
//
// The page is divided into cells of 8 × 8 pixels. The fifth row of pixels in
// every other row of cells is searched; in every row of cells, where a line has
// been found a few rows of cells above. Bars between two quiet zones of at
// least 5 modules, with the structure of a code (bar_shapes.h), are a line. So
// are bars with the patterns of other codes (pattern_shapes.h).
//
// Lines follow one another if they have the same number of edges, and all edges
// have moved by the same distance, to within a pixel and a half. At most two
// rows of cells may lie between them. Three lines within five rows of cells are
// a code. Each of its bars reaches from the first line to the last, and beyond
// as far as it or one of the two nearest bars on either side is dark, and two
// rows more. If rows that a bar reaches above the lines are no longer known,
// there is no code. All pixels that are not pure become black or white: in the
// bars, between them, and in up to 10 modules of quiet zone before and after
// them.
//
// The rows of PDF417 differ, but its start and its stop do not: a line has only
// their edges. So everything between them belongs to the code. Where only the
// start or only the stop reaches, as in skewed codes, the part that belongs to
// the code narrows from row to row.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "halftone/look/codes/bar_edges.h"

namespace halftoned {

class LinearCodes {
 public:
  static constexpr int64_t kRowOfCell = 4;  // is searched

  explicit LinearCodes(const LightRows& rows) : rows_(rows) {}

  // Begins row of cells `at`. True if the row must be searched.
  bool Begin(int64_t at);
  // Adds what has been found in a stretch of this row.
  void Add(BarEdges& found);
  // Adds the parts of a row that belong to codes. Precondition: no change has
  // reached the row yet, and the 96 rows below it are known, unless the page
  // ends before.
  void AddStretches(int64_t row, std::vector<CodeStretch>& stretches);
  bool is_empty() const { return codes_.empty(); }

 private:
  struct Code {
    int64_t first_cells, last_cells;
    int lines;
    int64_t quiet;
    uint16_t light_from;
    std::vector<int64_t> first, last;   // edges of these lines
    std::vector<int64_t> above, below;  // rows of each bar, once they are known
    bool is_stacked;
  };
  void AddBars(BarEdges& found, size_t first, size_t end, int32_t beside);
  void AddLine(std::span<const int64_t> edges, int64_t quiet,
               uint16_t light_from, bool is_stacked);
  bool Follows(const Code& code, std::span<const int64_t> edges) const;
  uint16_t LightFromOf(const Code& code) const;
  static int64_t LeanOf(const Code& code);
  int64_t DarkRows(const Code& code, int64_t row, int64_t x, int step) const;
  bool FindReach(const Code& code, int step, std::vector<int64_t>& reach) const;
  // Where a row meets a code.
  struct Crossing {
    const std::vector<int64_t>& edges;  // of the code's line that is nearest
    const std::vector<int64_t>& reach;
    int64_t away;  // rows from that line; 0 within the code
    int64_t by;    // how far the edges have moved
  };
  static Crossing Cross(const Code& code, int64_t row);
  void AddStretch(const Code& code, int64_t from, int64_t to,
                  std::vector<CodeStretch>& stretches) const;
  void AddStackedRow(const Code& code, int64_t row,
                     std::vector<CodeStretch>& stretches) const;
  void AddRow(const Code& code, int64_t row,
              std::vector<CodeStretch>& stretches) const;

  const LightRows& rows_;
  int64_t at_ = 0;
  std::vector<Code> codes_;
};

}  // namespace halftoned
