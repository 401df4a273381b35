// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The input and the output of every method, and the plane of numbers that most
// methods work on.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace halftoned::papers {

// As in the papers, a byte per pixel on both sides, without padding. Gray is
// light; a pixel is 0 or 1.
struct Picture {
  const uint8_t* gray;
  uint8_t* pixels;
  int width;  // at least 1
  int rows;   // at least 1

  size_t size() const {
    return static_cast<size_t>(width) * static_cast<size_t>(rows);
  }
};

// A number for every pixel, with a border of one pixel all around, so that
// edges need no special treatment.
class Plane {
 public:
  Plane(int width, int rows)
      : pitch_(width + 2),
        cells_(static_cast<size_t>(pitch_) * (static_cast<size_t>(rows) + 2)) {}

  ptrdiff_t pitch() const { return pitch_; }
  // The pixel in row 0, column 0.
  int* origin() { return cells_.data() + pitch_ + 1; }

 private:
  ptrdiff_t pitch_;
  std::vector<int> cells_;
};

}  // namespace halftoned::papers
