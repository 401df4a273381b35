// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TIFF images of packed samples. Two levels are written with 0 as white
// (MinIsWhite), as faxes, imagesetters and their software expect; more levels
// with 0 as black.

#ifndef HALFTONED_PRINT_IMAGE_TIFF_TIFF_WRITER_H_
#define HALFTONED_PRINT_IMAGE_TIFF_TIFF_WRITER_H_

#include <memory>

#include "print/file/output_file.h"
#include "print/image/image.h"

namespace halftoned {

// Not compressed unless the options say so. `file` outlives the writer.
std::unique_ptr<ImageWriter> MakeTiffWriter(OutputFile& file,
                                            const OutputOptions& options);

}  // namespace halftoned

#endif  // HALFTONED_PRINT_IMAGE_TIFF_TIFF_WRITER_H_
