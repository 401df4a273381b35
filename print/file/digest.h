// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Digests of texts and files: 128-bit XXH3, written as by `xxh128sum`. They
// detect changes and mistakes, not malice.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace halftoned {

struct FileDigest {
  int64_t bytes = 0;
  std::string digits;  // 32, hexadecimal
};

std::string DigestOf(std::string_view text);

// The digest of the whole seekable file `fd`; its position is not used.
Result<FileDigest> DigestOf(int fd);

}  // namespace halftoned
