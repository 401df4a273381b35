// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/rules/ipp_scan.h"

#include <cups/ipp.h>

namespace halftoned {
namespace {

constexpr size_t kLongestValue = 32767;
constexpr uint8_t kFirstValueTag = 0x10;

size_t LengthIn(std::string_view bytes) {
  return size_t{static_cast<uint8_t>(bytes[0])} << 8 |
         static_cast<uint8_t>(bytes[1]);
}

bool IsGroup(uint8_t tag) {
  switch (tag) {
    case IPP_TAG_OPERATION:
    case IPP_TAG_JOB:
    case IPP_TAG_PRINTER:
    case IPP_TAG_UNSUPPORTED_GROUP:
    case IPP_TAG_SUBSCRIPTION:
    case IPP_TAG_EVENT_NOTIFICATION:
    case IPP_TAG_RESOURCE:
    case IPP_TAG_DOCUMENT:
    case IPP_TAG_SYSTEM:
      return true;
    default:
      return false;
  }
}

// A language and a text, each with its length.
bool IsTextWithLanguage(std::string_view value) {
  if (value.size() < 4) return false;
  const size_t language = LengthIn(value);
  return value.size() >= language + 4 &&
         value.size() == language + 4 + LengthIn(value.substr(2 + language));
}

bool Fits(uint8_t tag, std::string_view value) {
  switch (tag) {
    case IPP_TAG_INTEGER:
    case IPP_TAG_ENUM:
      return value.size() == 4;
    case IPP_TAG_BOOLEAN:
      return value.size() == 1;
    case IPP_TAG_DATE:
      return value.size() == 11;
    case IPP_TAG_RESOLUTION:
      return value.size() == 9;
    case IPP_TAG_RANGE:
      return value.size() == 8;
    case IPP_TAG_TEXTLANG:
    case IPP_TAG_NAMELANG:
      return IsTextWithLanguage(value);
    case IPP_TAG_UNSUPPORTED_VALUE:
    case IPP_TAG_UNKNOWN:
    case IPP_TAG_NOVALUE:
    case IPP_TAG_NOTSETTABLE:
    case IPP_TAG_DELETEATTR:
    case IPP_TAG_ADMINDEFINE:
    case IPP_TAG_BEGIN_COLLECTION:
    case IPP_TAG_END_COLLECTION:
      return value.empty();
    case IPP_TAG_STRING:
      return true;
    case IPP_TAG_TEXT:
    case IPP_TAG_NAME:
    case IPP_TAG_KEYWORD:
    case IPP_TAG_URI:
    case IPP_TAG_URISCHEME:
    case IPP_TAG_CHARSET:
    case IPP_TAG_LANGUAGE:
    case IPP_TAG_MIMETYPE:
    case IPP_TAG_MEMBERNAME:
      // Programs that read a text to its first zero must see all of it.
      return value.find('\0') == value.npos;
    default:
      return false;
  }
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
    return depth_ == 0 && IsGroup(tag);
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
