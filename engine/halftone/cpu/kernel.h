// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel: a plain function that halftones the rows of one band on the calling
// thread. It trusts its arguments; sessions have checked them.

#pragma once

#include <span>

#include "halftone/page/band.h"
#include "halftone/page/carry.h"
#include "halftone/page/method.h"
#include "halftone/page/page.h"
#include "halftone/page/recipe.h"

namespace halftoned {

struct KernelJob {
  const Page& page;
  const Recipe& recipe;
  GrayBand gray;
  BitRoom bits;  // as many rows as gray; every byte of a row is written
  // A method that looks ahead (method.h) gets all remaining rows of a page.
  //
  // In: the state above the first row, whose number is carry.next_row(); out:
  // below the last. The caller sets next_row. page.first_row() is where the
  // session began, not this band.
  Carry& carry;
};

using Kernel = void (*)(const KernelJob& job);

// A line of the table of an engine that consists of kernels.
struct KernelEntry {
  MethodId method;
  Kernel kernel;
};

// The kernel for a recipe; null if the table has no entry for it.
inline Kernel FindKernel(std::span<const KernelEntry> table,
                         const Recipe& recipe) {
  const KernelEntry* entry = FindEntry(table, recipe.method());
  return entry ? entry->kernel : nullptr;
}

}  // namespace halftoned
