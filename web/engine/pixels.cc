// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <new>

#include "print/image/pixel_row.h"
#include "web/engine/exports.h"

namespace {

using halftoned::Alpha;
using halftoned::Colors;
using halftoned::Pixels;

bool Convert(const std::byte* rgba, int32_t width, int32_t rows, Pixels pixels,
             std::byte* out) {
  try {
    halftoned::PixelRow row({.colors = Colors::kRgb,
                             .alpha = Alpha::kStraight,
                             .alpha_sample = 3,
                             .samples_per_pixel = 4},
                            width, pixels);
    const size_t out_bytes = pixels == Pixels::kGray ? 1 : 3;
    for (int32_t i = 0; i < rows; ++i) {
      row.Make(rgba, out);
      rgba += 4 * static_cast<size_t>(width);
      out += out_bytes * static_cast<size_t>(width);
    }
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

}  // namespace

bool web_gray(const std::byte* rgba, int32_t width, int32_t rows,
              std::byte* gray) {
  return Convert(rgba, width, rows, Pixels::kGray, gray);
}

bool web_rgb(const std::byte* rgba, int32_t width, int32_t rows,
             std::byte* rgb) {
  return Convert(rgba, width, rows, Pixels::kRgb, rgb);
}
