// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PNG images of packed gray samples; one page a file.

#ifndef HALFTONED_PRINT_IMAGE_FORMAT_PNG_WRITER_H_
#define HALFTONED_PRINT_IMAGE_FORMAT_PNG_WRITER_H_

#include <memory>

#include "print/file/output_file.h"
#include "print/image/image.h"

namespace halftoned {

// Compressed unless the options say no. `file` outlives the writer.
std::unique_ptr<ImageWriter> MakePngWriter(OutputFile& file,
                                           const OutputOptions& options = {});

}  // namespace halftoned

#endif  // HALFTONED_PRINT_IMAGE_FORMAT_PNG_WRITER_H_
