// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/standard_output.h"

#include <cstdio>

#include "base/descriptor.h"

namespace halftoned {

Result<void> FlushStandardOutput() {
  // Not a std::string: a finished job must not fail for lack of memory.
  constexpr const char* kWhat = "standard output: cannot write";
  // If an earlier write failed, its reason is lost.
  Result<void> result;
  if (std::ferror(stdout) != 0) result = IoError(kWhat);
  if (std::fflush(stdout) != 0) result = ErrnoError(ErrorCode::kIo, kWhat);
  std::clearerr(stdout);
  return result;
}

}  // namespace halftoned
