// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/server/of_command.h"

#include <fcntl.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>

#include "base/descriptor.h"

namespace halftoned {
namespace {

constexpr char kMark[] = "HALFTONED_SERVER_OF_COMMAND";

}  // namespace

void MarkServerOfCommand() { setenv(kMark, "1", 1); }

bool IsOfCommand() { return std::getenv(kMark) != nullptr; }

Result<void> LeaveCommand() {
  close_range(STDERR_FILENO + 1, UINT_MAX, 0);
  if (chdir("/") != 0) return ErrnoError(ErrorCode::kIo, "/");
  return {};
}

void LetGoOfOutput() {
  const Descriptor nothing(open("/dev/null", O_RDWR | O_CLOEXEC));
  for (const int each : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    dup2(nothing.get(), each);
  }
}

}  // namespace halftoned
