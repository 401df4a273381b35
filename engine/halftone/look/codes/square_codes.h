// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds QR codes, each as a whole, turned by any quarter and by up to 5 degrees
// more. It knows neither curve nor dots.
//
// A finder are dark and light in the ratio 1 : 1 : 3 : 1 : 1, in a row and in
// the column through its middle, and as a square of 7 × 7 modules. It begins a
// code, at the upper left or upper right corner, if
//
// - it has two light modules beside and above it, as far as the code reaches,
//   and a light one on the other side and below it;
// - the code is 17 + 4 v modules wide, and then three light modules follow;
// - modules, turned by up to 5 degrees, are clearly dark or light in the middle
//   in the seven rows beside the finder; the turn and the module are those at
//   which they are so most clearly;
// - dark and light alternate in the row, or in the column, that leads from the
//   finder to another one.
//
// It is as high as it is wide. All of its pixels that are not pure, and those
// of 2 to 4 modules of quiet zone, become black or white. If its first row is
// not known any more, nothing is changed.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "halftone/look/codes/bar_edges.h"
#include "halftone/look/codes/code_area.h"
#include "halftone/look/codes/module_grid.h"
#include "halftone/look/codes/qr_shape.h"

namespace halftoned {

class SquareCodes {
 public:
  explicit SquareCodes(const LightRows& rows) : rows_(rows) {}

  // What has been found in a row; the rows above and below it are known.
  void Search(int64_t row, BarEdges& found);
  void AddStretches(int64_t row, std::vector<CodeStretch>& stretches) {
    codes_.AddStretches(row, rows_.columns(), stretches);
  }
  bool is_empty() const { return codes_.is_empty(); }

 private:
  bool FindDown(int64_t column, int64_t row, int step, uint16_t light_from,
                std::array<int64_t, 3>& edges) const;
  std::optional<ModuleGrid> FinderAt(int64_t row, uint16_t light_from,
                                     std::span<const int64_t, 6> edges) const;
  void SearchAt(const ModuleGrid& finder);
  bool AddCode(const QrShape& shape);

  const LightRows& rows_;
  CodeList<CodeArea> codes_;
};

}  // namespace halftoned
