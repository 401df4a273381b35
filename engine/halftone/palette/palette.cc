// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/palette/palette.h"

#include <algorithm>
#include <string>

#include "base/text.h"

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

// The next word; empty at the end.
std::string_view TakeWord(std::string_view& text) {
  SkipSeparators(text);
  const auto end = std::ranges::find_if(
      text, [](char c) { return c == ';' || IsSeparator(c); });
  const std::string_view word =
      text.substr(0, static_cast<size_t>(end - text.begin()));
  text.remove_prefix(word.size());
  return word;
}

int DigitOf(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool ReadRgb(std::string_view text, Rgb& rgb) {
  if (text.size() != 7 || text.front() != '#') return false;
  for (size_t c = 0; c < rgb.size(); ++c) {
    const int high = DigitOf(text[1 + 2 * c]);
    const int low = DigitOf(text[2 + 2 * c]);
    if (high < 0 || low < 0) return false;
    rgb[c] = static_cast<uint8_t>(16 * high + low);
  }
  return true;
}

bool ReadColor(std::string_view word, PaletteColor& color) {
  const size_t equals = std::min(word.find('='), word.size());
  if (!ReadRgb(word.substr(0, equals), color.measured)) return false;
  color.sent = color.measured;
  return equals == word.size() || ReadRgb(word.substr(equals + 1), color.sent);
}

constexpr std::string_view kToneCompression = "tone-compression=";

Result<int> ReadToneCompression(std::string_view word) {
  const std::string_view value = word.substr(kToneCompression.size());
  const auto number = ParseNumber<int>(value);
  if (number && *number >= 0 && *number <= Palette::kFullCompression) {
    return *number;
  }
  return BadInput("tone-compression is '" + std::string(value) +
                  "', which is not in 0 … 100");
}

const NamedPalette* FindNamed(std::string_view name) {
  const auto found = std::ranges::find(kNamed, name, &NamedPalette::name);
  return found == std::end(kNamed) ? nullptr : found;
}

}  // namespace

std::span<const NamedPalette> NamedPalettes() { return kNamed; }

bool Palette::Begins(std::string_view text) {
  const std::string_view word = TakeWord(text);
  return word.starts_with('#') || word.starts_with(kToneCompression) ||
         FindNamed(word);
}

Result<Palette> Palette::Parse(std::string_view text) {
  Palette palette;
  HALFTONED_TRY(palette.Add(text));
  if (palette.colors_.size() < kLeast) {
    return BadInput("the palette has fewer than 2 colors");
  }
  return palette;
}

Result<void> Palette::Add(std::string_view text) {
  for (std::string_view word; !(word = TakeWord(text)).empty();) {
    if (word.starts_with(kToneCompression)) {
      HALFTONED_TRY_ASSIGN(tone_compression_, ReadToneCompression(word));
    } else if (const NamedPalette* named = FindNamed(word)) {
      HALFTONED_TRY(Add(named->colors));
    } else {
      HALFTONED_TRY(AddColor(word));
    }
  }
  return {};
}

Result<void> Palette::AddColor(std::string_view word) {
  const std::string number = std::to_string(colors_.size() + 1);
  PaletteColor color{};
  if (!ReadColor(word, color)) {
    return BadInput("color " + number +
                    " of the palette is not like #b21318 or #b21318=#ff0000");
  }
  if (colors_.size() == kMost) {
    return BadInput("the palette has more than 16 colors");
  }
  const auto same =
      std::ranges::find(colors_, color.measured, &PaletteColor::measured);
  if (same != colors_.end()) {
    return BadInput("color " + number + " of the palette occurs twice");
  }
  colors_.push_back(color);
  return {};
}

}  // namespace halftoned
