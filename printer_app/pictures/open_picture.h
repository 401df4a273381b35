// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opens pictures of the offered formats, JPEG and PNG. Without the reader of
// TIFF, the server does not hold libtiff and five libraries below it in memory.

#pragma once

#include <memory>
#include <string_view>

#include "base/result.h"
#include "print/file/input_file.h"
#include "print/image/image.h"

namespace halftoned {

// For errors about pictures that are too large.
inline constexpr std::string_view kPictureRemedy = "send it in fewer pixels";

// `file` outlives the picture.
Result<std::unique_ptr<ImageReader>> OpenPicture(InputFile& file);

}  // namespace halftoned
