// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds linear bar codes whose bars lie, or are turned from there by up to 5
// degrees. It knows neither curve nor dots.
//
// Such a code may be longer than all rows that are known at a time, so its
// begin tells. Below a top (kept_cells.h), edges are looked for in three
// columns, up to 96 of them apart, that follow the turn of the first. There is
// a code if
//
// - edges of the three are where this turn has them, up to a pixel;
// - five modules above the first bar are light;
// - what is known of the bars has the structure of a code, or of the begin of
//   one (bar_shapes.h). That is asked twice: when 64 rows are known below the
//   first bar, and when 104 are, of which less is asked then;
// - at least two thirds of these bars end on the same line, up to two pixels
//   and half a module, on both sides; and they are six modules long, at least.
//
// It reaches down to the first gap of five modules. All of its pixels that are
// not pure, and up to 10 modules of quiet zone above and below, become black or
// white.

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
  LadderCodes(const LightRows& rows, const KeptCells& cells)
      : rows_(rows), cells_(cells) {}

  // Rows of cells below that are known when one is searched, at first and
  // again.
  static constexpr int64_t kAhead = 8, kAheadAgain = 13;

  // Looks for codes that begin in a row of cells.
  void Search(int64_t at, bool again);
  // Follows those that are found as far as rows are known.
  void Follow();
  void AddStretches(int64_t row, std::vector<CodeStretch>& stretches) {
    codes_.AddStretches(row, rows_.columns(), stretches);
  }
  bool is_empty() const { return codes_.is_empty(); }

 private:
  struct Code : CodeArea {
    int64_t module;
    int64_t next;  // row
    int64_t edge;  // the row of the last one
    bool is_dark, is_ended;
  };
  // A column that follows the turn of a code.
  struct Probe {
    Place from;
    int64_t slope;
    int64_t ColumnAt(int64_t row) const;
  };
  struct Begin {
    Probe one, middle, other;
    int light_from;
  };
  struct Down {
    std::vector<int64_t> edges;
    bool is_ended;  // by a gap
  };

  int LightAt(const Probe& probe, int64_t row) const;
  std::optional<Place> FirstEdge(int64_t column, int64_t at,
                                 int light_from) const;
  Down EdgesOf(const Probe& probe, int light_from) const;
  std::optional<Begin> BeginAt(int64_t at, const KeptCells::Run& top) const;
  void Try(const Begin& begin, bool again);
  int64_t LightAbove(const Probe& probe, int64_t module, int light_from) const;
  bool FindEnds(const Probe& probe, std::span<const int64_t> edges,
                int64_t module, CodeArea& area) const;
  int64_t EndOf(const Probe& probe, int64_t y, int step, int light_from) const;
  bool FollowRow(Code& code);

  const LightRows& rows_;
  const KeptCells& cells_;
  CodeList<Code> codes_;
};

}  // namespace halftoned
