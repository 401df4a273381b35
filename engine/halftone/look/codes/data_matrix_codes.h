// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds square DataMatrix codes, each as a whole, turned by any quarter and by
// up to 5 degrees more. It knows neither curve nor dots.
//
// A block of cells with contrast (kept_cells.h), none above it and none beside
// it, is a code if, of the part that is known,
//
// - the first dark pixels of its rows, from the left or from the right, are on
//   a line, up to a pixel: that side is solid, and its turn is that of the
//   code;
// - for one of the sizes of DataMatrix, the middles of its outer modules are
//   dark on that side, alternate on the other one, and do either at the top;
//   of 16 of these, one may be wrong;
// - the modules around it are light, but for one of 16;
// - a quarter of its modules or more are dark, and as many light.
//
// It is as high as it is wide. All of its pixels that are not pure, and those
// of two modules around it, become black or white. If its first row is not
// known any more, nothing is changed.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "halftone/look/codes/bar_edges.h"
#include "halftone/look/codes/code_area.h"
#include "halftone/look/codes/kept_cells.h"

namespace halftoned {

class DataMatrixCodes {
 public:
  // Rows of cells below that are known when one is searched.
  static constexpr int64_t kAhead = 13;

  DataMatrixCodes(const LightRows& rows, const KeptCells& cells)
      : rows_(rows), cells_(cells) {}

  // Looks for codes that begin in a row of cells.
  void Search(int64_t at);
  void AddStretches(int64_t row, std::vector<CodeStretch>& stretches) {
    codes_.AddStretches(row, rows_.columns(), stretches);
  }
  bool is_empty() const { return codes_.is_empty(); }

 private:
  struct Block {
    int64_t top, bottom, left, right;  // cells
  };
  std::optional<Block> BlockAt(int64_t at, const KeptCells::Run& run) const;
  void Try(const Block& block);

  const LightRows& rows_;
  const KeptCells& cells_;
  CodeList<CodeArea> codes_;
};

}  // namespace halftoned
