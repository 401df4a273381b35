// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much of a job a machine's memory has room for, so that boards with 512 MB
// print long documents too. Pure.

#pragma once

namespace halftoned {

// Renderers at a time, 1 … `processors`. `memory`: that of the machine, in MiB.
int RenderersFor(int processors, int memory);

// MiB for pages that wait for their turn, at least 1.
int WaitingMemoryFor(int memory);

}  // namespace halftoned
