// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/pictures/open_picture.h"

#include <string_view>

#include "print/image/formats.h"

namespace halftoned {

Result<std::unique_ptr<ImageReader>> OpenPicture(InputFile& file) {
  HALFTONED_TRY_ASSIGN(const bool is_jpeg, IsJpeg(file));
  if (is_jpeg) return OpenJpeg(file);
  HALFTONED_TRY_ASSIGN(const auto bytes, file.Peek(8));
  const std::string_view start(reinterpret_cast<const char*>(bytes.data()),
                               bytes.size());
  if (start == "\x89PNG\r\n\x1a\n")
    return OpenPng(file, {.remedy = kPictureRemedy});
  return BadInput("is not JPEG or PNG");
}

}  // namespace halftoned
