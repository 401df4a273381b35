// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/rules/chunk_scan.h"

#include <algorithm>
#include <cstring>

#include "printer_app/front/rules/texts.h"

namespace halftoned {
namespace {

bool IsText(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return c == '\t' || (byte >= ' ' && byte != 0x7f);
}

bool IsName(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || (c && std::strchr("!#$%&'*+-.^_`|~", c));
}

}  // namespace

void ChunkScan::Pass(uint64_t bytes) {
  data_ -= std::min(bytes, data_);
  if (data_ == 0) part_ = Part::kAfterData;
}

bool ChunkScan::Take(char c) {
  switch (part_) {
    case Part::kSize:
      return TakeSize(c);
    case Part::kExtension:
      if (c == '\r') return Go(true, Part::kEndOfSize);
      return IsText(c) && ++extra_ <= kMostOfExtension;
    case Part::kEndOfSize:
      data_ = size_;
      digits_ = 0;
      extra_ = 0;
      // With data, Pass says what follows.
      return Go(c == '\n', Part::kField);
    case Part::kAfterData:
      return Go(c == '\r', Part::kEndOfData);
    case Part::kEndOfData:
      size_ = 0;
      return Go(c == '\n', Part::kSize);
    case Part::kField:
    case Part::kName:
    case Part::kValue:
      return TakeField(c);
    case Part::kEndOfField:
      return Go(c == '\n', Part::kField);
    case Part::kOver:
      break;
  }
  return false;
}

bool ChunkScan::TakeSize(char c) {
  const int digit = HexDigit(c);
  if (digit >= 0) {
    size_ = size_ << 4 | static_cast<uint64_t>(digit);
    return ++digits_ <= kMostDigits && size_ <= INT64_MAX;
  }
  if (digits_ == 0) return false;
  if (c == ';') return Go(true, Part::kExtension);
  return Go(c == '\r', Part::kEndOfSize);
}

bool ChunkScan::TakeField(char c) {
  if (c == '\r') {
    return Go(part_ != Part::kName,
              part_ == Part::kField ? Part::kOver : Part::kEndOfField);
  }
  if (++extra_ > kMostOfFields) return false;
  if (part_ == Part::kValue) return IsText(c);
  if (c == ':') return Go(part_ == Part::kName, Part::kValue);
  return Go(IsName(c), Part::kName);
}

}  // namespace halftoned
