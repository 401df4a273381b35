// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds Aztec codes, compact and full, each as a whole, rotated by any multiple
// of 90 degrees and skewed by up to 5 degrees. It knows neither curve nor dots.
//
// In the center of a code is a bullseye of concentric squares, each ring one
// module wide, dark and light in turn. A row that crosses its 3 × 3 modules in
// the middle has the ratio 1 : 1 : 1 : 1 : 1 : 1 : 1 or 1 : 1 : 3 : 1 : 1 from
// light to light. There is a code if
//
// - the column through the middle alternates, and at most four modules of the
//   9 × 9 are wrong;
// - the ring around it has the marks of a compact code: none, one, two and
//   three dark modules at its corners; or this ring is light, the one around it
//   is dark, and the next one has the marks;
// - for one of the sizes of Aztec, the modules around the code are light,
//   except for one in 16, above it and on both sides, as far as rows are known;
// - at least a quarter of its modules are dark, and at least a quarter light.
//
// All pixels that are not pure, in the code and in 1 to 3 modules around it,
// become black or white. A code is recognized when a bullseye and the ring
// around it are known; if its first row is no longer known then, nothing
// changes. So that row can be at most 120 rows above the end of the rings.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "halftone/look/codes/bar_edges.h"
#include "halftone/look/codes/code_area.h"
#include "halftone/look/codes/matrix/aztec_shape.h"

namespace halftoned {

class AztecCodes {
 public:
  explicit AztecCodes(const LightRows& rows) : rows_(rows) {}

  // Notes a possible bullseye, which begins at an edge that was found in a row,
  // with the marks of ring_marks.h.
  void SearchAt(int64_t row, const BarEdges& found, size_t first,
                int16_t marks);
  // Looks for codes around those bullseyes for which enough rows are known.
  void Try();
  // Adds the parts of a row that belong to codes. Rows come in order.
  void AddStretches(int64_t row, std::vector<CodeStretch>& stretches) {
    codes_.AddStretches(row, rows_.columns(), stretches);
  }
  bool is_empty() const { return codes_.is_empty(); }

 private:
  static constexpr size_t kMostColumns = 8;

  // Edges in a row that may cross a bullseye. The bullseye is examined once its
  // last row is known: first, the last row of the rings that MayBeRings
  // examines.
  struct Crossing {
    int64_t row, last_row;
    uint16_t light_from;
    bool is_center, is_over;
    std::array<int32_t, kMostColumns> columns;

    std::span<const int32_t> Columns() const {
      return std::span(columns).first(is_center ? 8 : 6);
    }
    // Columns of 12 modules.
    int32_t Twelve() const {
      const auto all = Columns();
      return all[all.size() - 2] - all[0] + all.back() - all[1];
    }
  };

  bool MayBeRings(const Crossing& crossing) const;
  bool Examine(Crossing& crossing);

  const LightRows& rows_;
  std::vector<Crossing> crossings_;
  CodeList<CodeArea> codes_;
};

}  // namespace halftoned
