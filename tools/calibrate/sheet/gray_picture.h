// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A picture in memory: rows of gray without padding; 0 is black.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace halftoned {

struct GrayPicture {
  GrayPicture(int the_width, int the_height, uint8_t gray = 255)
      : width(the_width),
        height(the_height),
        at(static_cast<size_t>(width) * height, gray) {}
  uint8_t* Row(int y) { return at.data() + static_cast<size_t>(y) * width; }
  uint8_t& At(int x, int y) { return Row(y)[x]; }
  uint8_t At(int x, int y) const {
    return at[static_cast<size_t>(y) * width + x];
  }

  int width;
  int height;
  std::vector<uint8_t> at;
};

}  // namespace halftoned
