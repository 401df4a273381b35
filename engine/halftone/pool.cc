// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/pool.h"

#include <algorithm>
#include <thread>

namespace halftoned {

Pool::Pool(int threads) {
  const int processors =
      std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  threads_ = std::min(threads > 0 ? threads : processors, kMaxThreads);
}

}  // namespace halftoned
