// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// BMP images of two levels, as software for engravers takes them: one page a
// file, rows from the last to the first, as every program reads them.
//
//   file   = header palette rows
//   header = BITMAPFILEHEADER BITMAPINFOHEADER, little-endian
//   rows   = packed bits, 1 is white, each row of whole 4 bytes

#ifndef HALFTONED_PRINT_IMAGE_FORMAT_BMP_WRITER_H_
#define HALFTONED_PRINT_IMAGE_FORMAT_BMP_WRITER_H_

#include <memory>

#include "print/file/output_file.h"
#include "print/image/image.h"

namespace halftoned {

// `file` outlives the writer.
std::unique_ptr<ImageWriter> MakeBmpWriter(OutputFile& file);

}  // namespace halftoned

#endif  // HALFTONED_PRINT_IMAGE_FORMAT_BMP_WRITER_H_
