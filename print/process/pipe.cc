// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/process/pipe.h"

#include <fcntl.h>
#include <unistd.h>

namespace halftoned {

Result<Pipe> Pipe::Make() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return ErrnoError(ErrorCode::kIo, "cannot make a pipe");
  }
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

}  // namespace halftoned
