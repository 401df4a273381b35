// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JPEG images of gray, of colors and of inks, sequential and progressive,
// turned upright as cameras ask for it. Where the image is cut or damaged, it
// is refused.

#ifndef HALFTONED_PRINT_IMAGE_FORMAT_JPEG_READER_H_
#define HALFTONED_PRINT_IMAGE_FORMAT_JPEG_READER_H_

#include <memory>

#include "base/result.h"
#include "print/file/input_file.h"
#include "print/image/image.h"

namespace halftoned {

// Whether a file may be a JPEG image, by its first bytes.
Result<bool> IsJpeg(InputFile& file);

// `file` outlives the image.
Result<std::unique_ptr<ImageReader>> OpenJpeg(InputFile& file);

}  // namespace halftoned

#endif  // HALFTONED_PRINT_IMAGE_FORMAT_JPEG_READER_H_
