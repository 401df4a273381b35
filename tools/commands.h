// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The commands of `halftone`. Each prints its results and at most one error
// line per file, and returns the exit status.

#pragma once

#include "command/arguments.h"

namespace halftoned {

int RunCommand(const ConvertOptions& options);
int RunCommand(const ListEngines& options);
int RunCommand(const StatusOptions& options);
int RunCommand(const CheckOptions& options);
// All steps except printing to a queue.
int RunCommand(const CalibrateOptions& options);
int RunCommand(const PreviewOptions& options);
int RunCommand(const PrinterCommand& command);
inline int RunCommand(const Ended& ended) { return ended.status; }

}  // namespace halftoned
