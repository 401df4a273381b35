// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The supported formats. The first bytes of an input tell its format; the name
// of an output tells which to write.

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

// The format of a name as --format takes it, or of a file's extension: "pbm",
// "pgm", "pnm", "png", "tif" or "tiff", in any case.
std::optional<ImageFormat> FormatCalled(std::string_view name);

// The text after the last dot of the file name in `path`; empty if there is
// none.
std::string_view ExtensionOf(std::string_view path);

// `file` outlives the image.
Result<std::unique_ptr<ImageReader>> OpenImage(InputFile& file,
                                               const ImageTrust& trust = {});

struct WriterOptions {
  ImageFormat format;
  TiffOptions tiff;
};

// `file` outlives the writer.
Result<std::unique_ptr<ImageWriter>> MakeWriter(OutputFile& file,
                                                const WriterOptions& options);

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_IMAGE_OPEN_IMAGE_H_
