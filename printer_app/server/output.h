// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

namespace halftoned {

// Releases the output of the sub-command that started this server. The
// sub-command ends before the server, but readers of its output wait until
// nobody has it open.
void LetGoOfOutput();

}  // namespace halftoned
