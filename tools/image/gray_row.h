// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of pixels of any kind, made into rows of gray. How light a colour is
// stands in halftone/luminance.h; here is what lies around it:
//
// - Colours are taken as they are encoded. No profile is read.
// - Alpha: over white.
// - Samples of at most 8 bits give 8-bit gray, deeper ones 16-bit gray;
//   floating point reaches from 0 (black) to 1, what lies outside is clipped,
//   and what is no number is black. All roundings are to the nearest.
//
// It knows no file format.

#ifndef HALFTONED_TOOLS_IMAGE_GRAY_ROW_H_
#define HALFTONED_TOOLS_IMAGE_GRAY_ROW_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "halftone/page.h"

namespace halftoned {

enum class Colors { kGray, kPalette, kRgb, kCmyk };
enum class Alpha { kNone, kStraight, kPremultiplied };

// How many of a pixel's samples `colors` takes.
constexpr int ColorSamples(Colors colors) {
  return colors == Colors::kCmyk ? 4 : colors == Colors::kRgb ? 3 : 1;
}

struct PixelFormat {
  Colors colors = Colors::kGray;
  bool high_is_dark = false;  // of kGray only
  Alpha alpha = Alpha::kNone;
  int alpha_sample = 0;  // its number in the pixel, where there is alpha

  int samples_per_pixel = 1;  // all of them; those not used are left out
  bool planar = false;        // each sample in a row of its own

  // Packed from the highest bit on where fewer than 8 or between 8 and 16;
  // native-endian where whole bytes. 1 … 16 and 32; floats: 16, 32, 64.
  int bits_per_sample = 8;
  bool is_float = false;
  // The sample that means full light or ink. 1 … 65535, or 2^32 - 1 for 32
  // bits. Not used for palettes and floats.
  uint32_t max_value = 255;

  // 8-bit gray of each index, 2^bits_per_sample of them; bits 1 … 8.
  std::vector<uint8_t> palette;

  int planes() const { return planar ? samples_per_pixel : 1; }
};

// Makes gray rows from rows of one format. Trusts the format.
class GrayRow {
 public:
  GrayRow(const PixelFormat& format, int32_t width);

  Depth depth() const { return depth_; }
  // Of one row of one plane.
  size_t bytes_per_row() const { return bytes_per_row_; }
  // Whether rows are gray as they are, and Make only copies.
  bool is_identity() const { return is_identity_; }

  // planes: a row of each plane, aligned as its samples, null where it is
  // neither colour nor alpha; gray: width samples, which may be the only plane
  // itself where that is one sample of 8 or 16 bits a pixel.
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
  bool is_table_;                   // one sample of ≤ 8 bits: look it up
  std::array<uint8_t, 256> table_;  // by sample: scaled, or its gray
  std::vector<std::vector<uint8_t>> room8_;  // by plane: unpacked samples
  std::vector<std::vector<uint16_t>> room16_;
};

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_IMAGE_GRAY_ROW_H_
