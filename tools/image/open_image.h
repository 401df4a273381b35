// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The formats that there are: which one a file has is read from its first
// bytes, which one it shall get from its name.

#ifndef HALFTONED_TOOLS_IMAGE_OPEN_IMAGE_H_
#define HALFTONED_TOOLS_IMAGE_OPEN_IMAGE_H_

#include <memory>
#include <optional>
#include <string_view>

#include "file/input_file.h"
#include "file/output_file.h"
#include "image/image.h"
#include "image/tiff_writer.h"

namespace halftoned {

enum class ImageFormat { kPnm, kPng, kTiff };

// By a name as --format takes it, or the extension of a file's: "pbm", "pgm",
// "pnm", "png", "tif" or "tiff", whatever its case.
std::optional<ImageFormat> FormatCalled(std::string_view name);

// What follows the last dot of the last part of `path`; empty if none does.
std::string_view ExtensionOf(std::string_view path);

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
