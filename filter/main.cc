// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// rastertohalftone: a CUPS filter that turns gray raster into 1-bit raster. A
// page goes through Job (pages) → GraySource → Session → PageSink.

#include <unistd.h>

#include "filter/job.h"
#include "filter/program.h"
#include "print/process/polled_io.h"

namespace halftoned {
namespace {

Result<void> PrintCopies(const FilterJob& filter) {
  const Arguments& arguments = filter.arguments;
  Job job(filter.settings, filter.engine, filter.printer);
  Descriptor file;
  if (arguments.file) {
    HALFTONED_TRY_ASSIGN(file, OpenPrintFile(*arguments.file));
  }
  const int fd = arguments.file ? file.get() : STDIN_FILENO;
  for (int copy = 0; copy < arguments.copies; ++copy) {
    if (copy > 0 && ::lseek(fd, 0, SEEK_SET) != 0) {
      return ErrnoError(ErrorCode::kIo, "cannot read the print file again");
    }
    HALFTONED_TRY_ASSIGN(PolledInput input, PolledInput::Make(fd, filter.stop));
    HALFTONED_TRY(job.Print(input));
  }
  return {};
}

}  // namespace
}  // namespace halftoned

int main(int argc, char* argv[]) {
  return halftoned::RunFilter(
      {"rastertohalftone", "rastertohalftone " HALFTONED_VERSION "\n",
       halftoned::PrintCopies},
      argc, argv);
}
