// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layout and meaning of a page's pixels, from its TIFF directory, checked.
// Reads no pixels.

#pragma once

#include <cstdint>

#include "base/result.h"
#include "print/image/gray_row.h"
#include "print/image/image.h"
#include "print/image/orientation.h"
#include "print/image/tiff/tiff_file.h"

namespace halftoned {

// How the pixels are read.
enum class TiffStorage {
  kRawStrips,   // uncompressed: from known offsets in the file
  kScanlines,   // row by row
  kStrips,      // by whole strips: compressed planes
  kTiles,       // by rows of tiles
  kRgbaStrips,  // through libtiff's conversion to RGBA
  kRgbaTiles,
};

struct TiffLayout {
  int32_t width;
  int64_t rows;
  PixelFormat format;
  TiffStorage storage;
  uint32_t rows_per_strip;  // or rows of a tile
  uint32_t tile_width;      // 0: strips
  Orientation orientation;
  Metadata metadata;
};

// Reads the current directory. May configure libtiff's output of pixels.
Result<TiffLayout> ReadTiffLayout(TiffFile& file);

}  // namespace halftoned
