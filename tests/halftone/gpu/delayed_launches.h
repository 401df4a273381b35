// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <atomic>

namespace halftoned::testing {

// So many kernels with delays have been launched that know clusters.
extern std::atomic<unsigned> delayed_launches;

}  // namespace halftoned::testing
