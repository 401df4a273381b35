// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Palettes and pages for tests of the recipe `palette`.

#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "halftone/palette/palette_model.h"

namespace halftoned::testing {

inline std::shared_ptr<const PaletteModel> ModelOf(std::string_view text) {
  return std::make_shared<const PaletteModel>(*Palette::Parse(text));
}

// 2 … 16 colors, some of them close together or on one line.
inline std::string RandomPalette(std::mt19937& random) {
  for (;;) {
    const size_t count = 2 + random() % 15;
    const bool is_gray = random() % 4 == 0;
    std::string text;
    for (size_t k = 0; k < count; ++k) {
      const auto sample = static_cast<int>(random() % 256);
      const int spread = random() % 3 == 0 ? 4 : 256;
      const auto other = [&] {
        return is_gray
                   ? sample
                   : std::min(255, static_cast<int>(random() % 256) % spread +
                                       (spread < 256 ? sample / 2 : 0));
      };
      char color[32];
      std::snprintf(color, sizeof(color), "#%02x%02x%02x ", sample, other(),
                    other());
      text += color;
    }
    if (random() % 3 == 0) {
      text += "tone-compression=" + std::to_string(random() % 101);
    }
    if (Palette::Parse(text).ok()) return text;
  }
}

struct RgbPage {
  int32_t width;
  int32_t rows;
  std::vector<uint8_t> rgb;
};

// Noise, ramps, flat areas in colors of the palette, and extremes in turn.
inline RgbPage RandomRgbPage(std::mt19937& random, const PaletteModel& model,
                             int32_t width, int32_t rows) {
  RgbPage page{width, rows, std::vector<uint8_t>(size_t(3 * width * rows))};
  const auto colors = model.palette().colors();
  int32_t left = 0;
  unsigned kind = 0;
  uint8_t base = 0;
  for (size_t i = 0; i < page.rgb.size(); i += 3) {
    if (left-- == 0) {
      left = static_cast<int32_t>(random() % 90);
      kind = random() % 5;
      base = static_cast<uint8_t>(random());
    }
    const Rgb& flat = colors[base % colors.size()].sent;
    for (size_t c = 0; c < 3; ++c) {
      const auto noise = static_cast<uint8_t>(random());
      page.rgb[i + c] = kind == 0   ? noise
                        : kind == 1 ? flat[c]
                        : kind == 2 ? static_cast<uint8_t>(noise % 2 ? 255 : 0)
                        : kind == 3
                            ? static_cast<uint8_t>(base + left)
                            : static_cast<uint8_t>(c == base % 3 ? 255 : 0);
    }
  }
  return page;
}

}  // namespace halftoned::testing
