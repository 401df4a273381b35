// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a JPEG file's markers say. Of its pixels nothing is read.

#ifndef HALFTONED_PRINTER_APP_TRANSFORM_JPEG_FORM_H_
#define HALFTONED_PRINTER_APP_TRANSFORM_JPEG_FORM_H_

#include <cstddef>
#include <span>

#include "base/result.h"

namespace halftoned {

struct JpegForm {
  int width = 0;
  int rows = 0;
  int components = 0;     // 1: gray; 3: colours; 4: CMYK
  bool is_adobe = false;  // whose CMYK is light, not ink
  int orientation = 1;    // as in Exif
};

Result<JpegForm> ReadJpegForm(std::span<const std::byte> file);

}  // namespace halftoned

#endif  // HALFTONED_PRINTER_APP_TRANSFORM_JPEG_FORM_H_
