// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a TIFF directory says about its page, checked: how pixels are laid out
// and what they mean. Reads no pixels.

#ifndef HALFTONED_TOOLS_IMAGE_TIFF_LAYOUT_H_
#define HALFTONED_TOOLS_IMAGE_TIFF_LAYOUT_H_

#include <cstdint>

#include "base/result.h"
#include "image/gray_row.h"
#include "image/image.h"
#include "image/orientation.h"
#include "image/tiff_file.h"

namespace halftoned {

// How libtiff gives the pixels.
enum class TiffStorage {
  kRawStrips,   // not compressed: at known places in the file
  kScanlines,   // row after row
  kStrips,      // whole strips: planes that are compressed
  kTiles,       // rows of tiles
  kRgbaStrips,  // only through libtiff's own conversion to RGBA
  kRgbaTiles,
};

struct TiffLayout {
  int32_t width;
  int64_t rows;
  PixelFormat format;
  TiffStorage storage;
  uint32_t rows_per_strip;  // or per tile
  uint32_t tile_width;      // 0: strips
  Orientation orientation;
  Metadata metadata;
};

// Of the current directory. May tell libtiff in which form to give pixels.
Result<TiffLayout> ReadTiffLayout(TiffFile& file);

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_IMAGE_TIFF_LAYOUT_H_
