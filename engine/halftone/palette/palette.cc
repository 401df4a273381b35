// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/palette/palette.h"

#include <algorithm>
#include <string>

namespace halftoned {
namespace {

// docs/how-to/e-paper-colors.md says who measured them.
constexpr NamedPalette kNamed[] = {
    {"bw", "black, white", "#0a070e=#000000 #adb2ae=#ffffff"},
    {"bwr", "black, white, red",
     "#0a070e=#000000 #adb2ae=#ffffff #55180e=#ff0000"},
    {"bwy", "black, white, yellow",
     "#0a070e=#000000 #adb2ae=#ffffff #ac8000=#ffff00"},
    {"bwry", "black, white, yellow, red",
     "#0a070e=#000000 #adb2ae=#ffffff #ac8000=#ffff00 #55180e=#ff0000"},
    {"acep7", "seven colors (ACeP, Gallery)",
     "#191e21=#000000 #f1f1f1=#ffffff #53a428=#00ff00 #31318f=#0000ff "
     "#d20e13=#ff0000 #f3cf11=#ffff00 #b85e1c=#ff8000"},
    {"spectra6", "six colors (Spectra 6)",
     "#1f1829=#000000 #a8b4b6=#ffffff #b4ad00=#ffff00 #711813=#ff0000 "
     "#24468b=#0000ff #32543c=#00ff00"},
    {"gray4", "four even grays", "#000000 #555555 #aaaaaa #ffffff"},
    {"gray16", "sixteen even grays",
     "#000000 #111111 #222222 #333333 #444444 #555555 #666666 #777777 "
     "#888888 #999999 #aaaaaa #bbbbbb #cccccc #dddddd #eeeeee #ffffff"},
};

bool IsSeparator(char c) {
  return c == ',' || c == ' ' || (c >= '\t' && c <= '\r');
}

void SkipSeparators(std::string_view& text) {
  while (!text.empty()) {
    if (text.front() == ';') {
      text.remove_prefix(std::min(text.find('\n'), text.size()));
    } else if (IsSeparator(text.front())) {
      text.remove_prefix(1);
    } else {
      return;
    }
  }
}

int DigitOf(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

Error NotAColor(size_t number) {
  return BadInput("color " + std::to_string(number) +
                  " of the palette is not like #b21318 or #b21318=#ff0000");
}

// Takes a color from the front of `text`; false if there is none.
bool TakeRgb(std::string_view& text, Rgb& rgb) {
  constexpr size_t kLength = 7;
  if (text.size() < kLength || text.front() != '#') return false;
  for (size_t c = 0; c < rgb.size(); ++c) {
    const int high = DigitOf(text[1 + 2 * c]);
    const int low = DigitOf(text[2 + 2 * c]);
    if (high < 0 || low < 0) return false;
    rgb[c] = static_cast<uint8_t>(16 * high + low);
  }
  text.remove_prefix(kLength);
  return true;
}

Result<PaletteColor> TakeColor(std::string_view& text, size_t number) {
  PaletteColor color{};
  if (!TakeRgb(text, color.measured)) return NotAColor(number);
  color.sent = color.measured;
  if (text.starts_with('=')) {
    text.remove_prefix(1);
    if (!TakeRgb(text, color.sent)) return NotAColor(number);
  }
  const bool ends =
      text.empty() || text.front() == ';' || IsSeparator(text.front());
  if (!ends) return NotAColor(number);
  return color;
}

const NamedPalette* FindNamed(std::string_view name) {
  const auto found = std::ranges::find(kNamed, name, &NamedPalette::name);
  return found == std::end(kNamed) ? nullptr : found;
}

}  // namespace

std::span<const NamedPalette> NamedPalettes() { return kNamed; }

bool Palette::IsName(std::string_view text) { return FindNamed(text); }

Result<Palette> Palette::Parse(std::string_view text) {
  if (const NamedPalette* named = FindNamed(text)) text = named->colors;
  std::vector<PaletteColor> colors;
  for (SkipSeparators(text); !text.empty(); SkipSeparators(text)) {
    HALFTONED_TRY_ASSIGN(const PaletteColor color,
                         TakeColor(text, colors.size() + 1));
    if (colors.size() == kMost) {
      return BadInput("the palette has more than 16 colors");
    }
    const auto is_same = [&](const PaletteColor& other) {
      return other.measured == color.measured;
    };
    if (std::ranges::any_of(colors, is_same)) {
      return BadInput("color " + std::to_string(colors.size() + 1) +
                      " of the palette occurs twice");
    }
    colors.push_back(color);
  }
  if (colors.size() < kLeast) {
    return BadInput("the palette has fewer than 2 colors");
  }
  return Palette(std::move(colors));
}

}  // namespace halftoned
