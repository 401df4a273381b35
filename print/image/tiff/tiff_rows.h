// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of a TIFF page in stored order, each as a row of samples in every
// plane, in bounded memory: one row, one strip of each plane or one row of
// tiles, depending on the storage.

#pragma once

#include <array>
#include <cstddef>
#include <memory>

#include "base/result.h"
#include "halftone/page/band.h"
#include "print/image/tiff/tiff_file.h"
#include "print/image/tiff/tiff_layout.h"

namespace halftoned {

// A row of each plane; null for a plane that is neither color nor alpha.
// Samples are native-endian and aligned.
using TiffPlanes = std::array<const std::byte*, 16>;

class TiffRows {
 public:
  virtual ~TiffRows() = default;

  // The next row; valid until the next call.
  virtual Result<TiffPlanes> Next() = 0;

  // Fills `room` with the next rows unchanged, if this storage has a shortcut;
  // otherwise does nothing and returns false. Only for one plane.
  virtual Result<bool> ReadStraight(const GrayRoom& /*room*/) { return false; }
};

// row_bytes: for one row of one plane. `file` outlives the rows.
Result<std::unique_ptr<TiffRows>> OpenTiffRows(TiffFile& file,
                                               const TiffLayout& layout,
                                               size_t row_bytes);

// Whether the sample with this index affects how light a pixel is.
bool IsSampleUsed(const PixelFormat& format, int sample);

// For TiffStorage::kRawStrips.
Result<std::unique_ptr<TiffRows>> OpenRawTiffRows(TiffFile& file,
                                                  const TiffLayout& layout,
                                                  size_t row_bytes);

}  // namespace halftoned
