// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From CUDA's errors to Results. Lack of memory is an answer; any other error
// may have poisoned the process's context, so it ends the device (Health), and
// whoever owns the process had better end that too.

#ifndef HALFTONED_HALFTONE_CUDA_CHECK_CUH_
#define HALFTONED_HALFTONE_CUDA_CHECK_CUH_

#include <cuda_runtime_api.h>

#include <atomic>
#include <string>

#include "base/result.h"

namespace halftoned::cuda {

// Shared by a device and its sessions; any thread may use it.
class Health {
 public:
  bool is_dead() const { return dead_.load(std::memory_order_relaxed); }

  // `what` was being done, as in "copy a band to the GPU".
  Result<void> Check(cudaError_t error, const char* what) {
    if (error == cudaSuccess) return {};
    static_cast<void>(cudaGetLastError());
    if (error != cudaErrorMemoryAllocation) {
      dead_.store(true, std::memory_order_relaxed);
    }
    return Unavailable(std::string("could not ") + what + ": " +
                       cudaGetErrorString(error));
  }

  Result<void> CheckAlive() const {
    if (!is_dead()) return {};
    return Unavailable("the GPU has failed in this process");
  }

 private:
  std::atomic<bool> dead_{false};
};

}  // namespace halftoned::cuda

#endif  // HALFTONED_HALFTONE_CUDA_CHECK_CUH_
