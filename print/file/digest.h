// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Digests of texts and files: XXH3 of 128 bits, in the digits that `xxh128sum`
// prints. They find changes and mistakes, not malice.

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

// The digest of all that the seekable file `fd` has; its position is not used.
Result<FileDigest> DigestOf(int fd);

}  // namespace halftoned
