// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/server/output.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/descriptor.h"

namespace halftoned {

void LetGoOfOutput() {
  const Descriptor nothing(open("/dev/null", O_RDWR | O_CLOEXEC));
  for (const int each : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    dup2(nothing.get(), each);
  }
}

}  // namespace halftoned
