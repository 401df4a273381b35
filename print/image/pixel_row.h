// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts rows of pixels to what a reader is asked for: gray (gray_row.h), or
// sRGB of three bytes per pixel. For sRGB, samples are used as they are
// encoded, deeper ones are rounded to 8 bits, and alpha is blended over white.

#pragma once

#include <cstddef>
#include <cstdint>

#include "print/image/gray_row.h"
#include "print/image/image.h"

namespace halftoned {

class PixelRow {
 public:
  // For kRgb: format.colors is kGray or kRgb, with integer samples of 1, 8 or
  // 16 bits in one plane, and alpha, if any, is straight.
  PixelRow(const PixelFormat& format, int32_t width, Pixels pixels);

  Depth depth() const {
    return pixels_ == Pixels::kGray ? gray_row_.depth() : Depth::k8;
  }
  size_t bytes_per_row() const { return gray_row_.bytes_per_row(); }
  bool is_identity() const {
    return pixels_ == Pixels::kGray && gray_row_.is_identity();
  }

  // row: aligned for its samples.
  void Make(const std::byte* row, std::byte* out);

 private:
  void MakeRgb(const std::byte* row, uint8_t* rgb) const;
  // Sample i of the row, scaled to 8 bits.
  uint32_t SampleAt(const std::byte* row, size_t i) const;

  const Pixels pixels_;
  const PixelFormat format_;
  const size_t width_;
  GrayRow gray_row_;
};

}  // namespace halftoned
