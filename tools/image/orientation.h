// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pages whose rows are not stored as they are seen. A page that is mirrored
// left to right streams; for the other orientations the gray page is laid down
// in a temporary file first, so that memory stays bounded.

#ifndef HALFTONED_TOOLS_IMAGE_ORIENTATION_H_
#define HALFTONED_TOOLS_IMAGE_ORIENTATION_H_

#include <cstdint>
#include <memory>

#include "base/result.h"
#include "image/image.h"

namespace halftoned {

// How the stored page becomes the visible one: first transposed (rows become
// columns), then mirrored left to right, then top to bottom.
struct Orientation {
  bool transpose = false;
  bool mirror_x = false;
  bool mirror_y = false;

  bool is_upright() const { return !transpose && !mirror_x && !mirror_y; }
};

// Of the numbers 1 … 8 that TIFF and Exif give to orientations.
Result<Orientation> OrientationOf(int number);

// The visible page, from the page as it is stored.
Result<std::unique_ptr<PageReader>> Orient(std::unique_ptr<PageReader> stored,
                                           const Orientation& orientation);

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_IMAGE_ORIENTATION_H_
