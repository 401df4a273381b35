// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/memory_shares.h"

#include <sys/resource.h>

namespace halftoned {

int64_t MemoryOfProcess() {
  constexpr int64_t kWithoutLimit = int64_t{2} << 30;
  rlimit limit = {};
  if (getrlimit(RLIMIT_DATA, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
    return kWithoutLimit;
  }
  return static_cast<int64_t>(limit.rlim_cur);
}

}  // namespace halftoned
