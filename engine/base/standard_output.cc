// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/standard_output.h"

#include <cstdio>
#include <string>

#include "base/descriptor.h"

namespace halftoned {

Result<void> FlushStandardOutput() {
  const std::string what = "standard output: cannot write";
  // Why an earlier one failed is not known any more.
  Result<void> result;
  if (std::ferror(stdout) != 0) result = IoError(what);
  if (std::fflush(stdout) != 0) result = ErrnoError(ErrorCode::kIo, what);
  std::clearerr(stdout);
  return result;
}

}  // namespace halftoned
