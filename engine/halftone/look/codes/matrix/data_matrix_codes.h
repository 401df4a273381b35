// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds square DataMatrix codes, each as a whole, rotated by any multiple of 90
// degrees and skewed by up to 5 degrees. It knows neither curve nor dots.
//
// A candidate is a block of cells with contrast (kept_cells.h) if the cells
// above and beside it have none. It is a code if its known part passes these
// tests:
//
// - On exactly one side, left or right, the outermost dark pixels of its rows
//   are on a line, within a pixel. That side is solid, and its skew is the skew
//   of the code.
// - For one of the sizes of DataMatrix, the centers of the outer modules are
//   dark on the solid side and alternate on the opposite side. Either the top
//   or the bottom is solid, and the other one alternates. One module in 16 may
//   be wrong.
// - The modules around it are light, except for one in 16.
// - At least a quarter of its inner modules are dark, and at least a quarter
//   are light.
//
// A code is as high as it is wide. All pixels that are not pure, in the code
// and up to two modules around it, become black or white. If the first row of
// the code is no longer known, nothing changes.

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
  // How many rows of cells below the searched row are known.
  static constexpr int64_t kAhead = 13;

  DataMatrixCodes(const LightRows& rows, const KeptCells& cells)
      : rows_(rows), cells_(cells) {}

  // Finds the codes that start in row `at` of cells.
  void Search(int64_t at);
  // Adds the parts of a row that belong to codes. Rows come in order.
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
