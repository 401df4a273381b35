// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel: the plain function that halftones the rows of one band on the
// calling thread. It trusts what it is given, since sessions have checked it.

#ifndef HALFTONED_HALFTONE_KERNEL_H_
#define HALFTONED_HALFTONE_KERNEL_H_

#include "halftone/band.h"
#include "halftone/carry.h"
#include "halftone/page.h"
#include "halftone/recipe.h"

namespace halftoned {

struct KernelJob {
  const Page& page;
  const Recipe& recipe;
  GrayBand gray;
  BitRoom bits;  // as many rows as gray; every byte of a row is written
  Carry& carry;  // the state above the first row, on return below the last
};

using Kernel = void (*)(const KernelJob& job);

}  // namespace halftoned

#endif  // HALFTONED_HALFTONE_KERNEL_H_
