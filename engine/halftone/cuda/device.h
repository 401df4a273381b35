// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A GPU that halftones pages, as C++ sees it. One object a GPU and process.
// Any CUDA error but the lack of memory ends it: from then on it and its
// sessions give kUnavailable only, and the process should be replaced.
//
// A process that has several pages under way at once sets the environment
// variable CUDA_DEVICE_MAX_CONNECTIONS to 32 before it opens a device;
// otherwise bands of different pages may wait for each other.

#ifndef HALFTONED_HALFTONE_CUDA_DEVICE_H_
#define HALFTONED_HALFTONE_CUDA_DEVICE_H_

#include <cstddef>
#include <memory>
#include <string>

#include "base/result.h"
#include "halftone/session.h"

namespace halftoned {

struct CudaLimits {
  size_t device_bytes = size_t{4} << 30;  // of the GPU's memory
  size_t pinned_bytes = size_t{1} << 30;  // of the host's
};

class CudaDevice {
 public:
  class Impl;

  explicit CudaDevice(std::unique_ptr<Impl> impl);
  ~CudaDevice();
  CudaDevice(const CudaDevice&) = delete;
  CudaDevice& operator=(const CudaDevice&) = delete;

  const std::string& name() const;
  bool is_dead() const;

  // A session on this GPU; its rooms are pinned memory. kUnavailable if its
  // rooms would exceed the limits now. May be called by any thread; the device
  // outlives its sessions.
  Result<std::unique_ptr<Session>> Open(const PageOrder& order);

 private:
  std::unique_ptr<Impl> impl_;
};

// ordinal: as CUDA counts the GPUs. kUnavailable if there is none, or the
// driver is missing or too old.
Result<std::unique_ptr<CudaDevice>> OpenCudaDevice(int ordinal,
                                                   CudaLimits limits = {});

}  // namespace halftoned

#endif  // HALFTONED_HALFTONE_CUDA_DEVICE_H_
