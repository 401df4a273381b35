// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/render/machine_room.h"

#include <algorithm>

namespace halftoned {
namespace {

// The machine's memory for each renderer, in MiB. A lane of gray pages needs 55
// MiB at 600 dpi, and 128 MiB more if Ghostscript keeps as much of a page as
// CUPS allows.
constexpr int kForEach = 256;
// The memory is divided by this for pages that wait.
constexpr int kShareOfWaiting = 8;
// In MiB. More is never needed: a printer takes minutes to print these pages.
constexpr int kMostWaiting = 256;

}  // namespace

int RenderersFor(int processors, int memory) {
  return std::clamp(memory / kForEach, 1, std::max(1, processors));
}

int WaitingMemoryFor(int memory) {
  return std::clamp(memory / kShareOfWaiting, 1, kMostWaiting);
}

}  // namespace halftoned
