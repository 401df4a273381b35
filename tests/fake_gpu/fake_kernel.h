// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the kernels do, by the definition.

#ifndef HALFTONED_TESTS_FAKE_GPU_FAKE_KERNEL_H_
#define HALFTONED_TESTS_FAKE_GPU_FAKE_KERNEL_H_

#include "halftone/cuda/band_job.h"
#include "halftone/recipe.h"

namespace halftoned::testing {

// The bits of a band and the states below it. False if the states above have
// not come.
bool RunFakeKernel(const cuda::BandJob& job, const Recipe& recipe);

}  // namespace halftoned::testing

#endif  // HALFTONED_TESTS_FAKE_GPU_FAKE_KERNEL_H_
