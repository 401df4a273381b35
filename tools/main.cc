// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// halftone: converts files with the engines of the print filter, shows the
// daemon's status, puts rastertohalftone in front of printer drivers, measures
// printers, previews prints, and checks this machine.

#include <cstdio>
#include <cstdlib>
#include <variant>

#include "base/descriptor.h"
#include "command/arguments.h"
#include "commands.h"
#include "print/file/last_words.h"

int main(int argc, char** argv) {
  halftoned::PrepareLastWords();
  halftoned::OpenStandardDescriptors();
  const int status = std::visit(
      [](const auto& command) { return halftoned::RunCommand(command); },
      halftoned::ParseArguments(argc, argv));
  const auto printed = halftoned::FlushStandardOutput();
  if (printed.ok()) return status;
  std::fprintf(stderr, "halftone: %s\n", printed.error().message.c_str());
  return EXIT_FAILURE;
}
