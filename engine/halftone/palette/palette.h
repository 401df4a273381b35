// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The colors that a panel can show, as docs/reference/bits.md uses them.
//
//   palette = word { separator word }                 2 … 16 colors
//   word    = color | name | option                   name: of some colors
//   color   = rgb [ "=" rgb ]                         as measured = as sent
//   rgb     = "#" 6 hexadecimal digits                sRGB
//   option  = "tone-compression=" number              the last one counts
//   separator = "," | white space | ";" text LF       a comment

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace halftoned {

using Rgb = std::array<uint8_t, 3>;

struct PaletteColor {
  Rgb measured;  // what the panel shows
  Rgb sent;      // what its driver calls that color; often the same

  friend bool operator==(const PaletteColor&, const PaletteColor&) = default;
};

class Palette {
 public:
  static constexpr size_t kLeast = 2;
  static constexpr size_t kMost = 16;

  static constexpr int kFullCompression = 100;

  // kBadInput for fewer or more colors, for any other text, and for a measured
  // color that occurs twice.
  static Result<Palette> Parse(std::string_view text);
  // Whether a text begins like a palette.
  static bool Begins(std::string_view text);

  // The output consists of indices of this list.
  std::span<const PaletteColor> colors() const { return colors_; }
  // How far tones are scaled to the panel's range, 0 … kFullCompression.
  int tone_compression() const { return tone_compression_; }

 private:
  Palette() = default;

  Result<void> Add(std::string_view text);
  Result<void> AddColor(std::string_view word);

  std::vector<PaletteColor> colors_;
  int tone_compression_ = kFullCompression;
};

// The palettes that have names, in the order in which users see them.
struct NamedPalette {
  std::string_view name;
  std::string_view help;
  std::string_view colors;
};
std::span<const NamedPalette> NamedPalettes();

}  // namespace halftoned
