// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pages that are stored rotated or mirrored. A page that is mirrored left to
// right is streamed; for other orientations the page is first written to a
// temporary file, so that memory stays bounded.

#pragma once

#include <memory>

#include "base/result.h"
#include "print/file/temporary_file.h"
#include "print/image/image.h"

namespace halftoned {

// How to get the visible page from the stored one: first transpose it (rows
// become columns), then mirror it left to right, then top to bottom.
struct Orientation {
  bool transpose = false;
  bool mirror_x = false;
  bool mirror_y = false;

  bool is_upright() const { return !transpose && !mirror_x && !mirror_y; }
};

// From the orientation numbers 1 … 8 of TIFF and Exif.
Result<Orientation> OrientationOf(int number);

// Returns the visible page of a stored page. take_disk: for the temporary file,
// if there is one.
Result<std::unique_ptr<PageReader>> Orient(std::unique_ptr<PageReader> stored,
                                           const Orientation& orientation,
                                           const TakeDisk& take_disk = {});

// Reads the page to its end into a temporary file. The result no longer needs
// the image of `page`.
Result<std::unique_ptr<PageReader>> CopyToFile(std::unique_ptr<PageReader> page,
                                               const TakeDisk& take_disk = {});

}  // namespace halftoned
