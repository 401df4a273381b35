// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

namespace halftoned {

// The sub-command that has started this server ends before it, and what reads
// the sub-command's output waits until nobody has it open.
void LetGoOfOutput();

}  // namespace halftoned
