// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The orientation that cameras write into the marker APP1 of a JPEG image.
// Nothing else is read.
//
//   marker    = "Exif" 0 0 header … directory
//   header    = ( "II" | "MM" ) 42 offset of the directory, from the header on
//   directory = count { entry }
//   entry     = tag type count value, 12 bytes

#pragma once

#include <cstddef>
#include <span>

namespace halftoned {

// 1 … 8, as OrientationOf takes it; 1 if the marker has none.
int OrientationInExif(std::span<const std::byte> marker);

}  // namespace halftoned
