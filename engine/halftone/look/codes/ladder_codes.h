// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds linear bar codes whose bars are horizontal, or skewed by up to 5
// degrees. It knows neither curve nor dots.
//
// A code may be longer than all rows that are known at a time, so it is found
// by its start. Below a top (kept_cells.h), the search looks for edges in three
// columns, which span up to 96 pixels and follow the skew of the first edge.
// There is a code if
//
// - the edges in the three columns match this skew, within about a pixel;
// - five modules above the first bar are light, or two with the patterns of
//   pattern_shapes.h;
// - the known bars have the structure of a code, or of the start of one
//   (bar_shapes.h, pattern_shapes.h). This is tested when 64 rows below the
//   first bar are known, and again, with lower requirements, when 104, 112 and
//   120 are;
// - on each side, at least two thirds of these bars end on the same line, up to
//   two pixels and half a module;
// - the bars are at least 32 pixels long, and six modules, or twelve if so few
//   bars are known that the lower requirements apply.
//
// A code ends at the first gap of more than five modules, or before a bar of
// more than six; for PDF417, both limits are eight, and for DataBar nine. All
// pixels that are not pure, in the code and in up to 10 modules of quiet zone
// above and below, become black or white.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "halftone/look/codes/bar_edges.h"
#include "halftone/look/codes/code_area.h"
#include "halftone/look/codes/kept_cells.h"

namespace halftoned {

class LadderCodes {
 public:
  LadderCodes(const LightRows& rows, KeptCells& cells)
      : rows_(rows), cells_(cells) {}

  // How many rows of cells below the searched row are known in each search.
  static constexpr int64_t kAhead = 8, kAheadAgain = 13;
  static constexpr int64_t kSearches[] = {kAhead, kAheadAgain, 14, 15};

  // Finds the codes that start in row `at` of cells, and drops the tops at
  // which no code starts.
  void Search(int64_t at, int64_t ahead);
  // Follows the codes that were found down to the last known row.
  void Follow();
  // Adds the parts of a row that belong to codes. Rows come in order.
  void AddStretches(int64_t row, std::vector<CodeStretch>& stretches) {
    codes_.AddStretches(row, rows_.columns(), stretches);
  }
  bool is_empty() const { return codes_.is_empty(); }

 private:
  struct Code : CodeArea {
    int64_t module;
    int64_t next;    // the next row to follow
    int64_t edge;    // the row of the last edge
    int64_t widest;  // modules of an element
    bool is_dark, is_ended;
  };
  // A column that follows the skew of a code.
  struct Probe {
    Place from;
    int64_t slope;
    int64_t ColumnAt(int64_t row) const {
      const int64_t down = row * kPixel + kPixel / 2 - from.y;
      return (from.x - slope * down / ModuleGrid::kOne) / kPixel;
    }
  };
  struct Begin {
    Probe one, middle, other;
    int light_from;
  };
  struct Down {
    std::vector<int64_t> edges;
    bool is_ended;  // by a gap
    int64_t seen;   // the end of the last known row, if that ended it, or 0
  };
  struct Bars {
    std::vector<int64_t> edges;  // that do not vary within the code
    int64_t module, widest, quiet, shortest;  // all but module: in modules
    bool is_wide;
  };

  bool IsFlat(const Probe& probe, int64_t row, bool is_dark,
              int light_from) const;
  int64_t ColumnAt(const Probe& probe, int64_t row) const;
  int LightAt(const Probe& probe, int64_t row) const;
  std::optional<Place> FirstEdge(int64_t column, int64_t at,
                                 int light_from) const;
  Down EdgesOf(const Probe& probe, int light_from, bool is_wide) const;
  std::optional<Bars> BarsOf(const Begin& begin, int64_t ahead,
                             bool& is_over) const;
  std::optional<Begin> BeginAt(int64_t at, const KeptCells::Run& top) const;
  bool Try(const Begin& begin, int64_t ahead);
  int64_t LightAbove(const Probe& probe, int64_t module, int light_from) const;
  bool FindEnds(const Probe& probe, const Bars& bars, CodeArea& area) const;
  int64_t EndOf(const Probe& probe, int64_t y, int step, int light_from) const;
  bool FollowRow(Code& code);

  const LightRows& rows_;
  KeptCells& cells_;
  int64_t searched_ = 0;  // rows of cells
  CodeList<Code> codes_;
};

}  // namespace halftoned
