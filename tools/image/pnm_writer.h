// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Portable anymaps: a bitmap (P4, 1 is black) for two levels, a graymap (P5)
// for more; pages follow each other in the file. The format has no place for
// anything beside the pixels.

#ifndef HALFTONED_TOOLS_IMAGE_PNM_WRITER_H_
#define HALFTONED_TOOLS_IMAGE_PNM_WRITER_H_

#include <memory>

#include "file/output_file.h"
#include "image/image.h"

namespace halftoned {

// `file` outlives the writer.
std::unique_ptr<ImageWriter> MakePnmWriter(OutputFile& file);

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_IMAGE_PNM_WRITER_H_
