// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef HALFTONED_TESTS_HALFTONE_GPU_DELAYED_LAUNCHES_H_
#define HALFTONED_TESTS_HALFTONE_GPU_DELAYED_LAUNCHES_H_

#include <atomic>

namespace halftoned::testing {

// So many kernels with delays have been launched that know clusters.
extern std::atomic<unsigned> delayed_launches;

}  // namespace halftoned::testing

#endif  // HALFTONED_TESTS_HALFTONE_GPU_DELAYED_LAUNCHES_H_
