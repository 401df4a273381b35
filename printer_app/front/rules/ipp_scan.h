// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the end of an IPP message from its bytes, before anything parses it:
//
//   message = version(2) operation(2) id(4) *(group *value) end(1: 3)
//   group   = tag(1: 1 ... 15)
//   value   = tag(1: 16 ... 127) length(2) name(length) length(2) value(length)
//
// A parser takes memory for each level of collections, so depth and number are
// limited here. The length of each value fits its tag. Pure.

#pragma once

#include <cups/ipp.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace halftoned {

class IppScan {
 public:
  static constexpr size_t kMostBytes = 128 << 10;
  static constexpr int kMostValues = 512;
  static constexpr int kMostDepth = 8;

  // The number of bytes to read next; 0: the message is whole.
  size_t wanted() const { return wanted_; }
  // bytes: exactly that number. False if this is no message, or too large.
  bool Take(std::string_view bytes);
  const std::string& message() const { return message_; }
  // The message is whole.
  ipp_op_t operation() const {
    return static_cast<ipp_op_t>(static_cast<uint8_t>(message_[2]) << 8 |
                                 static_cast<uint8_t>(message_[3]));
  }

 private:
  enum class Next : uint8_t { kHeader, kTag, kNameLength, kName, kValue };

  bool TakeTag(uint8_t tag);
  bool TakeValue(std::string_view value);

  std::string message_;
  size_t wanted_ = 8;
  Next next_ = Next::kHeader;
  uint8_t tag_ = 0;
  int values_ = 0;
  int depth_ = 0;
  bool lacks_value_ = false;  // the member whose name came last
};

}  // namespace halftoned
