// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/rules/texts.h"

#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "printer_app/front/rules/request_values.h"

namespace halftoned {
namespace {

constexpr size_t kMostOfText = 255;

// The common characters that are parts of others, or forms of others, in
// Unicode's normalizations. The order of UTF-8 is that of the characters.
struct Forms {
  std::string_view first, last;
};
constexpr Forms kForms[] = {
    {"\u0300", "\u036f"},          // accents
    {"\u1100", "\u11ff"},          // parts of Korean syllables
    {"\u1ab0", "\u1aff"},          // accents
    {"\u1dc0", "\u1dff"},          // accents
    {"\u2070", "\u209f"},          // superscripts and subscripts
    {"\u20d0", "\u2115"},          // accents, letters as symbols
    {"\u2117", "\u2121"},          // but the signs of numbers
    {"\u2123", "\u214f"},          // and trademarks
    {"\u2460", "\u24ff"},          // letters and digits in circles
    {"\u2e80", "\u2fdf"},          // parts of Chinese characters
    {"\u3099", "\u309a"},          // accents of kana
    {"\ua960", "\ua97f"},          // parts of Korean syllables
    {"\ud7b0", "\ud7ff"},          // parts of Korean syllables
    {"\uf900", "\uffef"},          // ligatures, full-width and half-width
    {"\U0001d400", "\U0001d7ff"},  // letters of formulas
    {"\U0002f800", "\U0002fa1f"},  // forms of Chinese characters
};

bool IsControl(char c) {
  return static_cast<unsigned char>(c) < ' ' || c == '\x7f';
}

bool IsWithinCharacter(char c) { return (c & 0xc0) == 0x80; }  // of UTF-8

bool IsText(ipp_tag_t tag) {
  switch (tag) {
    case IPP_TAG_TEXT:
    case IPP_TAG_NAME:
    case IPP_TAG_TEXTLANG:
    case IPP_TAG_NAMELANG:
    case IPP_TAG_KEYWORD:
    case IPP_TAG_MIMETYPE:
    case IPP_TAG_LANGUAGE:
    case IPP_TAG_CHARSET:
    case IPP_TAG_URI:
    case IPP_TAG_URISCHEME:
      return true;
    default:
      return false;
  }
}

std::string CleanValue(std::string value, ipp_tag_t tag) {
  // URIs may be longer than other texts, and PAPPL parses them.
  if (tag == IPP_TAG_URI) return OneLine(std::move(value));
  value = CleanText(std::move(value));
  return tag == IPP_TAG_MIMETYPE ? LowerCase(value) : value;
}

void CleanValues(ipp_t* request, ipp_attribute_t* attribute) {
  const ipp_tag_t tag = ippGetValueTag(attribute);
  for (int i = 0; i < ippGetCount(attribute); ++i) {
    if (tag == IPP_TAG_BEGIN_COLLECTION) {
      CleanTexts(ippGetCollection(attribute, i));
      continue;
    }
    const char* given =
        IsText(tag) ? ippGetString(attribute, i, nullptr) : nullptr;
    if (!given) continue;
    const std::string clean = CleanValue(given, tag);
    if (clean != given) ippSetString(request, &attribute, i, clean.c_str());
  }
}

// libcups ignores the case of names, but the rules for requests do not, so
// standard names become lower case. Names of driver options stay as they are,
// because PAPPL compares them exactly.
void CleanName(ipp_t* request, ipp_attribute_t* attribute) {
  const char* given = ippGetName(attribute);
  if (!given) return;
  const std::string name = LowerCase(given);
  if (name != given && IsStandard(name)) {
    ippSetName(request, &attribute, name.c_str());
  }
}

}  // namespace

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string OneLine(std::string text) {
  std::ranges::replace_if(text, IsControl, ' ');
  return text;
}

std::string CleanText(std::string text) {
  text = Printable(OneLine(std::move(text)));
  if (text.size() <= kMostOfText) return text;
  size_t end = kMostOfText;
  while (end > 0 && IsWithinCharacter(text[end])) --end;
  text.resize(end);
  return text;
}

bool IsSeenWhole(std::string_view text) {
  while (!text.empty()) {
    const size_t bytes = Utf8Bytes(text);
    if (bytes == 0 || !IsSeen(text.substr(0, bytes))) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

bool HasOneSpelling(std::string_view text) {
  for (size_t bytes; !text.empty(); text.remove_prefix(bytes)) {
    bytes = std::max<size_t>(Utf8Bytes(text), 1);
    const std::string_view character = text.substr(0, bytes);
    for (const Forms& forms : kForms) {
      if (forms.first <= character && character <= forms.last) return false;
    }
  }
  return true;
}

void CleanTexts(ipp_t* request) {
  // Setting a name or a value does not disturb the iteration.
  for (ipp_attribute_t* attribute = ippFirstAttribute(request); attribute;
       attribute = ippNextAttribute(request)) {
    CleanName(request, attribute);
    CleanValues(request, attribute);
  }
}

std::string Escaped(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string escaped;
  for (const unsigned char c : text) {
    if (c < 0x80 && std::isalnum(c) != 0) {
      escaped += static_cast<char>(c);
    } else {
      escaped += {'%', kDigits[c >> 4], kDigits[c & 15]};
    }
  }
  return escaped;
}

std::string Unescaped(std::string_view text) {
  std::string plain;
  for (size_t at = 0; at < text.size(); ++at) {
    const int high =
        at + 2 < text.size() && text[at] == '%' ? HexDigit(text[at + 1]) : -1;
    const int low = high < 0 ? -1 : HexDigit(text[at + 2]);
    plain += low < 0 ? text[at] : static_cast<char>(high * 16 + low);
    if (low >= 0) at += 2;
  }
  return plain;
}

}  // namespace halftoned
