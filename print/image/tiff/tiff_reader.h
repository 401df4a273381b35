// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TIFF and BigTIFF images of every kind that libtiff decodes and gray_row.h
// supports. Thumbnails and masks are skipped.

#ifndef HALFTONED_PRINT_IMAGE_TIFF_TIFF_READER_H_
#define HALFTONED_PRINT_IMAGE_TIFF_TIFF_READER_H_

#include <memory>

#include "print/file/input_file.h"
#include "print/image/image.h"

namespace halftoned {

// `file` outlives the image. A pipe is copied to a temporary file first.
Result<std::unique_ptr<ImageReader>> OpenTiff(InputFile& file,
                                              const ImageTrust& trust);

}  // namespace halftoned

#endif  // HALFTONED_PRINT_IMAGE_TIFF_TIFF_READER_H_
