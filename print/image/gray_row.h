// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts rows of pixels of any kind to rows of gray.
// halftone/look/gray/luma_row.h defines how light a color is; the rest is
// here:
//
// - Colors are used as they are encoded. Profiles are ignored.
// - Alpha is blended over white.
// - Samples of at most 8 bits give 8-bit gray, deeper ones 16-bit gray.
//   Floating-point samples range from 0 (black) to 1; values outside are
//   clipped, and NaN is black. All values are rounded to the nearest.
//
// It knows no file format.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "halftone/page/page.h"

namespace halftoned {

enum class Colors { kGray, kPalette, kRgb, kCmyk };
enum class Alpha { kNone, kStraight, kPremultiplied };

// The number of samples of a pixel that `colors` uses.
constexpr int ColorSamples(Colors colors) {
  return colors == Colors::kCmyk ? 4 : colors == Colors::kRgb ? 3 : 1;
}

struct PixelFormat {
  Colors colors = Colors::kGray;
  bool high_is_dark = false;  // for kGray only
  Alpha alpha = Alpha::kNone;
  int alpha_sample = 0;  // its index in the pixel, if there is alpha

  int samples_per_pixel = 1;  // including samples that are not used
  bool planar = false;        // each sample in its own row

  // 1 … 16 and 32; floats: 16, 32, 64. Whole bytes are native-endian; other
  // sizes are packed from the highest bit on.
  int bits_per_sample = 8;
  bool is_float = false;
  // The sample value of full light or ink: 1 … 65535, or 2^32 - 1 for 32 bits.
  // Not used for palettes and floats.
  uint32_t max_value = 255;

  // 8-bit gray of each index; 2^bits_per_sample entries, for 1 … 8 bits.
  std::vector<uint8_t> palette;

  int planes() const { return planar ? samples_per_pixel : 1; }
};

// Makes gray rows from rows of one format, which it does not check.
class GrayRow {
 public:
  GrayRow(const PixelFormat& format, int32_t width);

  Depth depth() const { return depth_; }
  // For one row of one plane.
  size_t bytes_per_row() const { return bytes_per_row_; }
  // Whether the rows are gray already, so that Make only copies.
  bool is_identity() const { return is_identity_; }

  // planes: a row of each plane, aligned for its samples, null for a plane that
  // is neither color nor alpha. gray: width samples; may be the same memory as
  // the plane if that is the only one, with one sample of 8 or 16 bits per
  // pixel.
  void Make(std::span<const std::byte* const> planes, std::byte* gray);

 private:
  template <typename Sample>
  void MakeAt(std::span<const std::byte* const> planes, Sample* gray);
  template <typename Sample>
  const Sample* Unpack(const std::byte* row, std::vector<Sample>& room);

  PixelFormat format_;
  size_t width_;
  Depth depth_;
  size_t samples_per_row_;  // in each plane
  size_t bytes_per_row_;
  bool is_identity_;
  bool is_table_;                   // one sample of ≤ 8 bits: use table_
  std::array<uint8_t, 256> table_;  // by sample: its scaled value, or its gray
  std::vector<std::vector<uint8_t>> room8_;  // by plane: unpacked samples
  std::vector<std::vector<uint16_t>> room16_;
};

}  // namespace halftoned
