// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PNG images of every kind. An interlaced image is assembled in a temporary
// file, so that memory stays bounded.

#ifndef HALFTONED_PRINT_IMAGE_FORMAT_PNG_READER_H_
#define HALFTONED_PRINT_IMAGE_FORMAT_PNG_READER_H_

#include <memory>

#include "base/result.h"
#include "print/file/input_file.h"
#include "print/image/image.h"

namespace halftoned {

// `file` outlives the image.
Result<std::unique_ptr<ImageReader>> OpenPng(InputFile& file,
                                             const ImageTrust& trust);

}  // namespace halftoned

#endif  // HALFTONED_PRINT_IMAGE_FORMAT_PNG_READER_H_
