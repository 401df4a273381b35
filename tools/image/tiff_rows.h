// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of a TIFF page in the order in which they are stored, each as a row
// of samples in every plane, in bounded memory: one row, one strip of each
// plane or one row of tiles, as the storage asks for.

#ifndef HALFTONED_TOOLS_IMAGE_TIFF_ROWS_H_
#define HALFTONED_TOOLS_IMAGE_TIFF_ROWS_H_

#include <array>
#include <cstddef>
#include <memory>
#include <span>

#include "base/result.h"
#include "halftone/band.h"
#include "image/tiff_file.h"
#include "image/tiff_layout.h"

namespace halftoned {

// A row of each plane; null where a plane is neither colour nor alpha. Samples
// are native-endian and aligned.
using TiffPlanes = std::array<const std::byte*, 16>;

class TiffRows {
 public:
  virtual ~TiffRows() = default;

  // The next row; it holds until the next call.
  virtual Result<TiffPlanes> Next() = 0;

  // Fills `room` with the next rows as they are, if there is a short way to do
  // so for this storage; false, and nothing done, if not. Only for one plane.
  virtual Result<bool> ReadStraight(const GrayRoom& /*room*/) { return false; }
};

// row_bytes: of one row of one plane. `file` outlives the rows.
Result<std::unique_ptr<TiffRows>> OpenTiffRows(TiffFile& file,
                                               const TiffLayout& layout,
                                               size_t row_bytes);

// Whether the sample with this number is needed to know how light a pixel is.
bool IsSampleUsed(const PixelFormat& format, int sample);

// For TiffStorage::kRawStrips.
Result<std::unique_ptr<TiffRows>> OpenRawTiffRows(TiffFile& file,
                                                  const TiffLayout& layout,
                                                  size_t row_bytes);

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_IMAGE_TIFF_ROWS_H_
