// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/standard_output.h"

#include <cstdio>

#include "base/descriptor.h"

namespace halftoned {

Result<void> FlushStandardOutput() {
  // Not a string: whoever has all of his work done needs no memory any more.
  constexpr const char* kWhat = "standard output: cannot write";
  // Why an earlier one failed is not known any more.
  Result<void> result;
  if (std::ferror(stdout) != 0) result = IoError(kWhat);
  if (std::fflush(stdout) != 0) result = ErrnoError(ErrorCode::kIo, kWhat);
  std::clearerr(stdout);
  return result;
}

}  // namespace halftoned
