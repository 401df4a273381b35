// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The commands of `halftone`. Each returns the exit status, and prints at most
// one line about what went wrong with a file.

#ifndef HALFTONED_TOOLS_COMMANDS_H_
#define HALFTONED_TOOLS_COMMANDS_H_

#include "command/arguments.h"

namespace halftoned {

int RunConvert(const ConvertOptions& options);
int RunEngines(const ListEngines& options);
int RunStatus(const StatusOptions& options);
int RunPrinterCommand(const PrinterCommand& command);

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_COMMANDS_H_
