// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "library/answer.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "base/text.h"

namespace halftoned {

ht_status StatusOf(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::kBadInput:
      return HT_BAD_INPUT;
    case ErrorCode::kUnavailable:
    case ErrorCode::kAskAgain:
      return HT_UNAVAILABLE;
    case ErrorCode::kIo:
    case ErrorCode::kBug:
      break;
  }
  return HT_BUG;
}

ht_status Succeed(ht_error* error) noexcept {
  if (error) {
    error->status = HT_OK;
    error->text[0] = '\0';
  }
  return HT_OK;
}

ht_status Fail(ht_error* error, ht_status status,
               std::string_view text) noexcept {
  if (!error) return status;
  *error = {status, ""};
  size_t size = 0;
  while (!text.empty()) {
    const size_t valid = Utf8Bytes(text);
    const size_t bytes = std::max<size_t>(valid, 1);
    if (size + bytes >= sizeof(error->text)) break;
    if (valid > 0 && IsPrinted(text.substr(0, valid))) {
      std::memcpy(error->text + size, text.data(), valid);
      size += valid;
    } else {
      error->text[size++] = '?';
    }
    text.remove_prefix(bytes);
  }
  return status;
}

}  // namespace halftoned
