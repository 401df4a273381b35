// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The square modules of a matrix code on the page, turned by a small angle.

#pragma once

#include <cstdint>

namespace halftoned {

struct Place {
  int64_t x, y;  // as in bar_edges.h
};

// Eighths of modules count from the middle of one: to the right, or to the
// left with side -1, and down.
struct ModuleGrid {
  static constexpr int64_t kOne = 65536;
  static constexpr int64_t kParts = 8;  // of a module

  int64_t x, y;    // of that middle, a place
  int64_t module;  // in 1/256 of a place
  int64_t slope;   // how far columns go down on their way right, in 1/65536
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

}  // namespace halftoned
