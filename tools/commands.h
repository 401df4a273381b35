// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The commands of `halftone`. Each returns the exit status, prints what was
// done, and at most one line about what went wrong with a file.

#pragma once

#include "command/arguments.h"

namespace halftoned {

int RunCommand(const ConvertOptions& options);
int RunCommand(const ListEngines& options);
int RunCommand(const StatusOptions& options);
int RunCommand(const CheckOptions& options);
// Except for printing to a queue.
int RunCommand(const CalibrateOptions& options);
int RunCommand(const PreviewOptions& options);
int RunCommand(const PrinterCommand& command);
inline int RunCommand(const Ended& ended) { return ended.status; }

}  // namespace halftoned
