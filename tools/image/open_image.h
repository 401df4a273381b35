// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The formats that there are: which one a file has is read from its first
// bytes, which one it shall get from its name.

#ifndef HALFTONED_TOOLS_IMAGE_OPEN_IMAGE_H_
#define HALFTONED_TOOLS_IMAGE_OPEN_IMAGE_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "file/input_file.h"
#include "file/output_file.h"
#include "image/image.h"
#include "image/tiff_writer.h"

namespace halftoned {

enum class ImageFormat { kPnm, kPng, kTiff };

// By the extension of `path`, whatever its case.
std::optional<ImageFormat> FormatOfName(const std::string& path);

// `file` outlives the image.
Result<std::unique_ptr<ImageReader>> OpenImage(InputFile& file);

struct WriterOptions {
  ImageFormat format;
  TiffOptions tiff;
};

// `file` outlives the writer.
Result<std::unique_ptr<ImageWriter>> MakeWriter(OutputFile& file,
                                                const WriterOptions& options);

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_IMAGE_OPEN_IMAGE_H_
