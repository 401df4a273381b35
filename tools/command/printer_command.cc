// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `halftone add`, `adopt`, `release`, `set`, `unset`, `show` and `check
// --print`. Another program implements them, because linking libcups takes
// longer than converting a small page.

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "base/libexec.h"
#include "commands.h"

namespace halftoned {

int RunCommand(const PrinterCommand& command) {
  const std::string program =
      LibexecFolder(HALFTONED_LIBEXEC_PATH) + "/halftone-adopt";
  ::execv(program.c_str(), command.argv);
  if (errno == ENOENT) {
    std::fprintf(stderr,
                 "halftone: %s is not installed; it is in the package "
                 "cups-filter-halftone\n",
                 program.c_str());
  } else {
    std::fprintf(stderr, "halftone: %s: %s\n", program.c_str(),
                 std::strerror(errno));
  }
  return 1;
}

}  // namespace halftoned
