// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text from outside (file names, texts inside files) made safe for terminals,
// logs and formats that require UTF-8.

#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

namespace halftoned {

// Removes the number at the start of `text` and returns it; nothing if there is
// none. form: a base or a std::chars_format, as std::from_chars takes them.
template <typename Number, typename... Form>
std::optional<Number> TakeNumber(std::string_view& text, Form... form) {
  Number number{};
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number, form...);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return number;
}

// The number in a text that contains nothing else.
template <typename Number, typename... Form>
std::optional<Number> ParseNumber(std::string_view text, Form... form) {
  const auto number = TakeNumber<Number>(text, form...);
  return text.empty() ? number : std::nullopt;
}

// The length in bytes of the first character of `text`, which is not empty; 0
// if that is not valid UTF-8. Surrogates and overlong forms are not valid.
size_t Utf8Bytes(std::string_view text);

// Whether a character of valid UTF-8 is printed by itself: not a control (C0,
// DEL, C1), a line separator or a format character. A terminal could obey
// these, and U+202E makes one text look like another.
bool IsPrinted(std::string_view character);

// Whether a character of valid UTF-8 is printed by itself and is visible, or is
// U+0020: not another space, a filler or a modifier of its neighbor. Names that
// differ only in invisible characters look alike.
bool IsSeen(std::string_view character);

// One printable line: each byte of a character that is not printed, and each
// invalid byte, becomes "?". At most `most` bytes, in whole characters.
std::string Printable(std::string_view text,
                      size_t most = std::string_view::npos);

// A library's message as part of one of ours: white space, such as ends of
// lines, becomes single blanks, and a full stop at the end is dropped.
std::string OneLine(std::string_view text);

// ASCII letters in lower case, other bytes unchanged.
std::string LowerCase(std::string_view text);

// The member of `known` that `word` probably meant, in any case; empty if none
// is similar. A word of up to five letters can have one mistake, a longer word
// can have two.
std::string_view NearestOf(std::string_view word,
                           std::span<const std::string_view> known);

// `text` unchanged if it is UTF-8; if not, it is converted from Latin-1, the
// usual encoding of old files.
std::string Utf8FromAny(std::string_view text);
std::string Utf8FromLatin1(std::string_view latin1);

}  // namespace halftoned
