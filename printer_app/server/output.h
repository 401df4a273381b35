// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef HALFTONED_PRINTER_APP_SERVER_OUTPUT_H_
#define HALFTONED_PRINTER_APP_SERVER_OUTPUT_H_

namespace halftoned {

// The sub-command that has started this server ends before it, and what reads
// the sub-command's output waits until nobody has it open.
void LetGoOfOutput();

}  // namespace halftoned

#endif  // HALFTONED_PRINTER_APP_SERVER_OUTPUT_H_
