// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/render/machine_room.h"

#include <algorithm>

namespace halftoned {
namespace {

// MiB of the machine for each renderer. A lane of gray pages takes 55 MiB at
// 600 dpi, and 128 more if Ghostscript keeps as much of a page as CUPS allows.
constexpr int kForEach = 256;
// Pages that wait get this part of the memory.
constexpr int kShareOfWaiting = 8;
// More are never needed: a printer prints them for minutes. In MiB.
constexpr int kMostWaiting = 256;

}  // namespace

int RenderersFor(int processors, int memory) {
  return std::clamp(memory / kForEach, 1, std::max(1, processors));
}

int WaitingMemoryFor(int memory) {
  return std::clamp(memory / kShareOfWaiting, 1, kMostWaiting);
}

}  // namespace halftoned
