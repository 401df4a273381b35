// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the kernel does, in plain loops.

#ifndef HALFTONED_TESTS_FAKE_GPU_FAKE_KERNEL_H_
#define HALFTONED_TESTS_FAKE_GPU_FAKE_KERNEL_H_

#include "halftone/cuda/band_job.h"

namespace halftoned::testing {

// The bits of a band and the states below it. False if the states above have
// not come. levels: 2, 4, 8 or 16.
bool RunFakeKernel(const cuda::BandJob& job, int levels);

}  // namespace halftoned::testing

#endif  // HALFTONED_TESTS_FAKE_GPU_FAKE_KERNEL_H_
