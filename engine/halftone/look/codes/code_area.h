// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rectangle of a code on the page, with its quiet zone, skewed by a small
// angle.

#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "halftone/look/codes/bar_edges.h"
#include "halftone/look/codes/module_grid.h"

namespace halftoned {

struct CodeArea {
  Place origin;
  int64_t slope;  // as in ModuleGrid
  // Distances from the origin along and across the code, in places.
  int64_t left, right, top, bottom;
  uint16_t light_from;

  bool Has(Place place) const {
    const auto within = WithinRow(place.y);
    return place.x >= within.first && place.x < within.second;
  }
  bool IsAbove(int64_t row) const;
  // Adds the part of a row that is within the area.
  void AddStretch(int64_t row, int64_t columns,
                  std::vector<CodeStretch>& stretches) const;

 private:
  // The start and the end of the area at height `y`.
  std::pair<int64_t, int64_t> WithinRow(int64_t y) const;
};

}  // namespace halftoned
