// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Portable anymaps: a bitmap (P4, 1 is black) for two levels, a graymap (P5)
// for more; a file may hold several pages. The format has no metadata.

#ifndef HALFTONED_PRINT_IMAGE_FORMAT_PNM_WRITER_H_
#define HALFTONED_PRINT_IMAGE_FORMAT_PNM_WRITER_H_

#include <memory>

#include "print/file/output_file.h"
#include "print/image/image.h"

namespace halftoned {

// `file` outlives the writer.
std::unique_ptr<ImageWriter> MakePnmWriter(OutputFile& file);

}  // namespace halftoned

#endif  // HALFTONED_PRINT_IMAGE_FORMAT_PNM_WRITER_H_
