// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Portable anymaps: P1 … P6, of up to 16 bits, several in a file as pages.
//
//   file   = image { image }
//   image  = magic blank width blank height [ blank maxval ] one-blank rows
//   magic  = "P1" … "P6"; bitmaps (1 and 4) have no maxval
//   blank  = { " " | "\t" | "\n" | "\v" | "\f" | "\r" | "#" … "\n" }
//
// Samples of P1 … P3 are decimal numbers; P4 has 8 pixels per byte; P5 and P6
// have a byte a sample or, above maxval 255, two bytes, the high one first.

#ifndef HALFTONED_PRINT_IMAGE_FORMAT_PNM_READER_H_
#define HALFTONED_PRINT_IMAGE_FORMAT_PNM_READER_H_

#include <memory>

#include "print/file/input_file.h"
#include "print/image/image.h"

namespace halftoned {

// `file` outlives the image.
std::unique_ptr<ImageReader> OpenPnm(InputFile& file);

}  // namespace halftoned

#endif  // HALFTONED_PRINT_IMAGE_FORMAT_PNM_READER_H_
