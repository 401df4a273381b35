// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <atomic>

namespace halftoned::testing {

// Number of launches of delayed kernels that support clusters.
extern std::atomic<unsigned> delayed_launches;

}  // namespace halftoned::testing
