// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// halftone: converts files with the engine of the print filter, shows the
// daemon's status, puts rastertohalftone in front of printer drivers, measures
// printers, shows what prints will look like, and says what is wrong on this
// machine.

#include <cstdio>
#include <cstdlib>
#include <variant>

#include "base/descriptor.h"
#include "base/standard_output.h"
#include "calibrate/run_calibrate.h"
#include "check/run_check.h"
#include "command/arguments.h"
#include "commands.h"
#include "preview/run_preview.h"
#include "print/file/last_words.h"

namespace halftoned {
namespace {

struct Run {
  int operator()(const ConvertOptions& options) const {
    return RunConvert(options);
  }
  int operator()(const ListEngines& options) const {
    return RunEngines(options);
  }
  int operator()(const StatusOptions& options) const {
    return RunStatus(options);
  }
  int operator()(const CheckOptions& options) const {
    return RunCheck(options);
  }
  int operator()(const CalibrateOptions& options) const {
    return RunCalibrate(options);
  }
  int operator()(const PreviewOptions& options) const {
    return RunPreview(options);
  }
  int operator()(const PrinterCommand& command) const {
    return RunPrinterCommand(command);
  }
  int operator()(const Ended& ended) const { return ended.status; }
};

}  // namespace
}  // namespace halftoned

int main(int argc, char** argv) {
  halftoned::PrepareLastWords();
  halftoned::OpenStandardDescriptors();
  const int status =
      std::visit(halftoned::Run(), halftoned::ParseArguments(argc, argv));
  const auto printed = halftoned::FlushStandardOutput();
  if (printed.ok()) return status;
  std::fprintf(stderr, "halftone: %s\n", printed.error().message.c_str());
  return EXIT_FAILURE;
}
