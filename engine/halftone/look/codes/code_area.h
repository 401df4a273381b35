// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rectangle of a code on the page, with its quiet zone, skewed by a small
// angle.

#pragma once

#include <algorithm>
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

// The found codes of one kind: areas, or what derives from them.
template <typename Area>
class CodeList {
 public:
  bool is_empty() const { return areas_.empty(); }
  std::vector<Area>& areas() { return areas_; }

  void Add(const Area& area) { areas_.push_back(area); }
  bool HasOneAt(Place place) const {
    return std::ranges::any_of(
        areas_, [&](const CodeArea& each) { return each.Has(place); });
  }
  // Adds the stretches of this row, and forgets the codes above it. Rows come
  // in ascending order.
  void AddStretches(int64_t row, int64_t columns,
                    std::vector<CodeStretch>& stretches) {
    std::erase_if(areas_,
                  [&](const CodeArea& each) { return each.IsAbove(row); });
    for (const CodeArea& each : areas_) {
      each.AddStretch(row, columns, stretches);
    }
  }

 private:
  std::vector<Area> areas_;
};

}  // namespace halftoned
