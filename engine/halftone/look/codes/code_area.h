// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a code is on the page: its rectangle with its quiet zone, and the
// square modules of a matrix code, both skewed by a small angle.

#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "halftone/look/codes/bar_edges.h"

namespace halftoned {

struct Place {
  int64_t x, y;  // as in bar_edges.h
};

// The modules of a matrix code. Positions are in eighths of a module, from the
// middle of one: to the right, or to the left with side -1, and down.
struct ModuleGrid {
  static constexpr int64_t kOne = 65536;
  static constexpr int64_t kParts = 8;  // of a module

  int64_t x, y;    // the place of that middle
  int64_t module;  // in 1/256 of a place
  int64_t slope;   // downwards per step to the right, in 1/65536
  int side = 1;

  int64_t PlacesOf(int64_t parts) const {
    return module * parts / (kParts * 256);
  }
  Place At(int64_t right, int64_t down) const {
    constexpr int64_t kScale = kParts * 256 * kOne;
    right *= side;
    return {x + module * (right * kOne - slope * down) / kScale,
            y + module * (down * kOne + slope * right) / kScale};
  }
};

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
  // Adds a quiet zone on all sides.
  void Widen(int64_t places) {
    left -= places, right += places, top -= places, bottom += places;
  }
  bool IsAbove(int64_t row) const;
  // The start and the end of the area at height `y`.
  std::pair<int64_t, int64_t> WithinRow(int64_t y) const;
  // Adds the part of a row that is within the area.
  void AddStretch(int64_t row, int64_t columns,
                  std::vector<CodeStretch>& stretches) const;
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
