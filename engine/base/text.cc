// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/text.h"

#include <algorithm>
#include <vector>

namespace halftoned {
namespace {

// How many letters must be inserted, deleted, replaced or swapped with their
// neighbor to turn one into the other.
size_t Mistakes(std::string_view one, std::string_view other) {
  const size_t width = other.size() + 1;
  std::vector<size_t> rows((one.size() + 1) * width);
  const auto at = [&](size_t i, size_t j) -> size_t& {
    return rows[i * width + j];
  };
  for (size_t i = 0; i <= one.size(); ++i) {
    for (size_t j = 0; j < width; ++j) {
      if (i == 0 || j == 0) {
        at(i, j) = i + j;
        continue;
      }
      const bool is_same = one[i - 1] == other[j - 1];
      at(i, j) = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1,
                           at(i - 1, j - 1) + (is_same ? 0 : 1)});
      const bool is_swapped = i > 1 && j > 1 && one[i - 1] == other[j - 2] &&
                              one[i - 2] == other[j - 1];
      if (is_swapped) at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
    }
  }
  return at(one.size(), other.size());
}

unsigned Byte(char c) { return static_cast<unsigned char>(c); }

bool Continues(char c) { return (Byte(c) & 0xc0) == 0x80; }

struct Range {
  char32_t first;
  char32_t last;
};

// Unicode 15: the categories Cc, Cf, Zl and Zp.
constexpr Range kNotPrinted[] = {
    {0x0000, 0x001f},   {0x007f, 0x009f},   {0x00ad, 0x00ad},
    {0x0600, 0x0605},   {0x061c, 0x061c},   {0x06dd, 0x06dd},
    {0x070f, 0x070f},   {0x0890, 0x0891},   {0x08e2, 0x08e2},
    {0x180e, 0x180e},   {0x200b, 0x200f},   {0x2028, 0x202e},
    {0x2060, 0x2064},   {0x2066, 0x206f},   {0xfeff, 0xfeff},
    {0xfff9, 0xfffb},   {0x110bd, 0x110bd}, {0x110cd, 0x110cd},
    {0x13430, 0x1343f}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a},
    {0xe0001, 0xe0001}, {0xe0020, 0xe007f},
};

// Category Zs except U+0020, fillers, and characters that only modify their
// neighbor.
constexpr Range kNotSeen[] = {
    {0x00a0, 0x00a0}, {0x034f, 0x034f}, {0x115f, 0x1160}, {0x1680, 0x1680},
    {0x17b4, 0x17b5}, {0x180b, 0x180f}, {0x2000, 0x200a}, {0x202f, 0x202f},
    {0x205f, 0x205f}, {0x2065, 0x2065}, {0x2800, 0x2800}, {0x3000, 0x3000},
    {0x3164, 0x3164}, {0xfe00, 0xfe0f}, {0xffa0, 0xffa0}, {0xe0000, 0xe0fff},
};

// Precondition: valid UTF-8.
char32_t CodeOf(std::string_view character) {
  const unsigned first = Byte(character[0]);
  if (first < 0x80) return first;
  // The first byte of n has n ones above its own bits.
  char32_t code = first & (0x7fu >> character.size());
  for (const char c : character.substr(1)) code = code << 6 | (Byte(c) & 0x3f);
  return code;
}

bool IsIn(std::span<const Range> ranges, char32_t code) {
  return std::ranges::any_of(ranges, [code](const Range& range) {
    return range.first <= code && code <= range.last;
  });
}

bool IsUtf8(std::string_view text) {
  while (!text.empty()) {
    const size_t bytes = Utf8Bytes(text);
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

}  // namespace

size_t Utf8Bytes(std::string_view text) {
  const unsigned first = Byte(text[0]);
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const size_t bytes = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (text.size() < bytes) return 0;
  if (!std::ranges::all_of(text.substr(1, bytes - 1), Continues)) return 0;
  const unsigned second = Byte(text[1]);
  const bool wrong =
      (first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
      (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f);
  return wrong ? 0 : bytes;
}

bool IsPrinted(std::string_view character) {
  return !IsIn(kNotPrinted, CodeOf(character));
}

bool IsSeen(std::string_view character) {
  return IsPrinted(character) && !IsIn(kNotSeen, CodeOf(character));
}

std::string Printable(std::string_view text, size_t most) {
  std::string printable;
  while (!text.empty()) {
    const size_t bytes = std::max<size_t>(Utf8Bytes(text), 1);
    if (bytes > most - printable.size()) break;
    const std::string_view character = text.substr(0, bytes);
    const bool prints = Utf8Bytes(text) > 0 && IsPrinted(character);
    printable += prints ? character : std::string_view("????", bytes);
    text.remove_prefix(bytes);
  }
  return printable;
}

std::string OneLine(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n\v\f";
  std::string line;
  for (const char c : text) {
    const bool is_space = kSpace.find(c) != kSpace.npos;
    if (!is_space) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  if (line.ends_with(' ')) line.pop_back();
  if (line.ends_with('.')) line.pop_back();
  return line;
}

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return lower;
}

std::string_view NearestOf(std::string_view word,
                           std::span<const std::string_view> known) {
  constexpr size_t kShort = 5;
  size_t most = word.size() <= kShort ? 1 : 2;
  std::string_view nearest;
  if (word.size() < 2) return nearest;
  for (const std::string_view name : known) {
    const bool is_far =
        word.size() > name.size() + most || name.size() > word.size() + most;
    if (is_far) continue;
    const size_t mistakes = Mistakes(LowerCase(word), LowerCase(name));
    if (mistakes > most || (mistakes == most && !nearest.empty())) continue;
    nearest = name;
    most = mistakes;
  }
  return nearest;
}

std::string Utf8FromAny(std::string_view text) {
  return IsUtf8(text) ? std::string(text) : Utf8FromLatin1(text);
}

std::string Utf8FromLatin1(std::string_view latin1) {
  std::string utf8;
  for (const char c : latin1) {
    if (Byte(c) < 0x80) {
      utf8 += c;
    } else {
      utf8 += static_cast<char>(0xc0 | Byte(c) >> 6);
      utf8 += static_cast<char>(0x80 | (Byte(c) & 0x3f));
    }
  }
  return utf8;
}

}  // namespace halftoned
