// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/image/pixel_row.h"

#include <algorithm>
#include <cstring>

#include "print/image/samples.h"

namespace halftoned {

PixelRow::PixelRow(const PixelFormat& format, int32_t width, Pixels pixels)
    : pixels_(pixels),
      format_(format),
      width_(static_cast<size_t>(width)),
      gray_row_(format, width) {}

void PixelRow::Make(const std::byte* row, std::byte* out) {
  if (pixels_ == Pixels::kGray) return gray_row_.Make({&row, 1}, out);
  const bool is_rgb = format_.colors == Colors::kRgb &&
                      format_.samples_per_pixel == 3 &&
                      format_.bits_per_sample == 8 && format_.max_value == 255;
  if (is_rgb) {
    std::memcpy(out, row, 3 * width_);
  } else {
    MakeRgb(row, reinterpret_cast<uint8_t*>(out));
  }
}

uint32_t PixelRow::SampleAt(const std::byte* row, size_t i) const {
  uint32_t sample = 0;
  if (format_.bits_per_sample == 16) {
    uint16_t word;
    std::memcpy(&word, row + 2 * i, sizeof(word));
    sample = word;
  } else if (format_.bits_per_sample == 8) {
    sample = std::to_integer<uint32_t>(row[i]);
  } else {
    sample = std::to_integer<uint32_t>(row[i / 8] >> (7 - i % 8)) & 1;
  }
  const uint32_t max = format_.max_value;
  return (std::min(sample, max) * 255 + max / 2) / max;
}

void PixelRow::MakeRgb(const std::byte* row, uint8_t* rgb) const {
  const auto step = static_cast<size_t>(format_.samples_per_pixel);
  for (size_t j = 0; j < width_; ++j, rgb += 3) {
    uint32_t alpha = 255;
    if (format_.alpha != Alpha::kNone) {
      alpha =
          SampleAt(row, step * j + static_cast<size_t>(format_.alpha_sample));
    }
    for (size_t c = 0; c < 3; ++c) {
      const size_t of_color = format_.colors == Colors::kRgb ? c : 0;
      const uint32_t sample = SampleAt(row, step * j + of_color);
      const uint32_t light = format_.high_is_dark ? 255 - sample : sample;
      rgb[c] = static_cast<uint8_t>((light * alpha + 127) / 255 + 255 - alpha);
    }
  }
}

}  // namespace halftoned
