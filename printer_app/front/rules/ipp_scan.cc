// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/rules/ipp_scan.h"

#include <cups/ipp.h>

#include <algorithm>
#include <span>

namespace halftoned {
namespace {

constexpr size_t kLongestValue = 32767;
constexpr uint8_t kFirstValueTag = 0x10;

size_t LengthIn(std::string_view bytes) {
  return size_t{static_cast<uint8_t>(bytes[0])} << 8 |
         static_cast<uint8_t>(bytes[1]);
}

constexpr uint8_t kGroups[] = {
    IPP_TAG_OPERATION,         IPP_TAG_JOB,          IPP_TAG_PRINTER,
    IPP_TAG_UNSUPPORTED_GROUP, IPP_TAG_SUBSCRIPTION, IPP_TAG_EVENT_NOTIFICATION,
    IPP_TAG_RESOURCE,          IPP_TAG_DOCUMENT,     IPP_TAG_SYSTEM};
// Programs that read a text to its first zero must see all of it.
constexpr uint8_t kTexts[] = {
    IPP_TAG_TEXT,     IPP_TAG_NAME,      IPP_TAG_KEYWORD,
    IPP_TAG_URI,      IPP_TAG_URISCHEME, IPP_TAG_CHARSET,
    IPP_TAG_LANGUAGE, IPP_TAG_MIMETYPE,  IPP_TAG_MEMBERNAME};
constexpr struct {
  uint8_t tag;
  size_t bytes;
} kSizes[] = {{IPP_TAG_INTEGER, 4},           {IPP_TAG_ENUM, 4},
              {IPP_TAG_BOOLEAN, 1},           {IPP_TAG_DATE, 11},
              {IPP_TAG_RESOLUTION, 9},        {IPP_TAG_RANGE, 8},
              {IPP_TAG_UNSUPPORTED_VALUE, 0}, {IPP_TAG_UNKNOWN, 0},
              {IPP_TAG_NOVALUE, 0},           {IPP_TAG_NOTSETTABLE, 0},
              {IPP_TAG_DELETEATTR, 0},        {IPP_TAG_ADMINDEFINE, 0},
              {IPP_TAG_BEGIN_COLLECTION, 0},  {IPP_TAG_END_COLLECTION, 0}};

bool Has(std::span<const uint8_t> tags, uint8_t tag) {
  return std::ranges::find(tags, tag) != tags.end();
}

// A language and a text, each with its length.
bool IsTextWithLanguage(std::string_view value) {
  if (value.size() < 4) return false;
  const size_t language = LengthIn(value);
  return value.size() >= language + 4 &&
         value.size() == language + 4 + LengthIn(value.substr(2 + language));
}

bool Fits(uint8_t tag, std::string_view value) {
  for (const auto& [known, bytes] : kSizes) {
    if (tag == known) return value.size() == bytes;
  }
  if (tag == IPP_TAG_TEXTLANG || tag == IPP_TAG_NAMELANG) {
    return IsTextWithLanguage(value);
  }
  if (Has(kTexts, tag)) return value.find('\0') == value.npos;
  return tag == IPP_TAG_STRING;
}

}  // namespace

bool IppScan::Take(std::string_view bytes) {
  if (bytes.size() != wanted_ || wanted_ == 0 ||
      message_.size() + bytes.size() > kMostBytes) {
    return false;
  }
  message_ += bytes;
  switch (next_) {
    case Next::kHeader:
      next_ = Next::kTag;
      wanted_ = 1;
      // The enumeration of operations has no room for more.
      return static_cast<uint8_t>(bytes[2]) < 0x80;
    case Next::kTag:
      return TakeTag(static_cast<uint8_t>(bytes[0]));
    case Next::kNameLength:
      next_ = Next::kName;
      wanted_ = LengthIn(bytes) + 2;
      // Names of members are values.
      return wanted_ <= 255 + 2;
    case Next::kName:
      next_ = Next::kValue;
      wanted_ = LengthIn(bytes.substr(bytes.size() - 2));
      if (wanted_ > kLongestValue ||
          bytes.substr(0, bytes.size() - 2).find('\0') != bytes.npos) {
        return false;
      }
      return wanted_ > 0 || TakeValue({});
    case Next::kValue:
      return TakeValue(bytes);
  }
  return false;
}

bool IppScan::TakeTag(uint8_t tag) {
  // A member has a name and then a value, and only collections have members.
  const bool is_value = tag >= kFirstValueTag && tag != IPP_TAG_MEMBERNAME &&
                        tag != IPP_TAG_END_COLLECTION;
  if ((lacks_value_ && !is_value) ||
      (tag == IPP_TAG_MEMBERNAME && depth_ == 0)) {
    return false;
  }
  lacks_value_ = tag == IPP_TAG_MEMBERNAME;
  tag_ = tag;
  if (tag == IPP_TAG_END) {
    wanted_ = 0;
    return depth_ == 0;
  }
  if (tag < kFirstValueTag) {
    wanted_ = 1;
    return depth_ == 0 && Has(kGroups, tag);
  }
  next_ = Next::kNameLength;
  wanted_ = 2;
  return ++values_ <= kMostValues;
}

bool IppScan::TakeValue(std::string_view value) {
  if (tag_ == IPP_TAG_BEGIN_COLLECTION) ++depth_;
  if (tag_ == IPP_TAG_END_COLLECTION) --depth_;
  next_ = Next::kTag;
  wanted_ = 1;
  return depth_ >= 0 && depth_ <= kMostDepth && Fits(tag_, value);
}

}  // namespace halftoned
