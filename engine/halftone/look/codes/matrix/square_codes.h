// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds QR codes, each as a whole, rotated by any multiple of 90 degrees and
// skewed by up to 5 degrees. It knows neither curve nor dots.
//
// A finder is a square of 7 × 7 modules, in which dark and light alternate in
// the ratio 1 : 1 : 3 : 1 : 1, in a row and in the column through its center.
// It is the upper left or upper right corner of a code if
//
// - two light modules are beside it and above it, as far as the code reaches,
//   and a light one is on the other side and below it;
// - the code is 17 + 4 v modules wide, and three light modules follow;
// - the centers of modules are clearly dark or light in the seven rows beside
//   the finder, at a skew of up to 5 degrees; the skew and the module size are
//   those for which they are clearest;
// - dark and light alternate in the row from the finder to another one; or in
//   the column, of which four modules are known, and a quarter of the modules
//   beside the finder differ from the next one.
//
// A code is as high as it is wide. All pixels that are not pure, in the code
// and in 2 to 4 modules of quiet zone, become black or white. If the first row
// of the code is no longer known, nothing changes.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "halftone/look/codes/bar_edges.h"
#include "halftone/look/codes/code_area.h"

namespace halftoned {

// What the finder at an upper corner of a QR code and the modules beside it
// tell (qr_shape.cc). The content of the code does not matter.
struct QrShape {
  ModuleGrid grid;  // from the middle of the finder
  int64_t width;    // modules
  int64_t quiet;    // modules
};

// grid: the finder's place, module and side, as measured.
std::optional<QrShape> QrShapeOf(const LightRows& rows, const ModuleGrid& grid);

class SquareCodes {
 public:
  explicit SquareCodes(const LightRows& rows) : rows_(rows) {}

  // Notes a possible finder, which begins at an edge that was found in a row.
  // Precondition: five more edges follow.
  void SearchAt(int64_t row, BarEdges& found, size_t first);
  // Looks for codes at the possible finders above a row. Precondition: the rows
  // above and below these are known.
  void TryAbove(int64_t row);
  // Adds the parts of a row that belong to codes. Rows come in order.
  void AddStretches(int64_t row, std::vector<CodeStretch>& stretches) {
    codes_.AddStretches(row, rows_.columns(), stretches);
  }
  bool is_empty() const { return codes_.is_empty(); }

 private:
  struct SeenFinder {
    int64_t row;
    uint16_t light_from;
    std::array<int64_t, 6> edges;
  };
  bool FindDown(int64_t column, int64_t row, int step, uint16_t light_from,
                std::array<int64_t, 3>& edges) const;
  std::optional<ModuleGrid> FinderAt(const SeenFinder& seen) const;
  void Try(const ModuleGrid& finder);
  bool AddCode(const QrShape& shape);

  const LightRows& rows_;
  std::deque<SeenFinder> seen_;
  CodeList<CodeArea> codes_;
};

}  // namespace halftoned
