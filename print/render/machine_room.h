// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many renderers and waiting pages fit in a machine's memory, so that
// boards with 512 MB print long documents too. Pure.

#pragma once

namespace halftoned {

// Renderers at a time, 1 … `processors`. memory: the machine's, in MiB.
int RenderersFor(int processors, int memory);

// Memory for pages that wait their turn, in MiB, at least 1.
int WaitingMemoryFor(int memory);

}  // namespace halftoned
