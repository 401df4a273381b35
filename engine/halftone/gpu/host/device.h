// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A GPU that halftones pages, as C++ sees it. One object per GPU and process.
// Any CUDA error except lack of memory ends it: from then on, it and its
// sessions return only kUnavailable, and the process should be replaced.
//
// A process that halftones several pages at the same time sets the environment
// variable CUDA_DEVICE_MAX_CONNECTIONS to 32 before it opens a device;
// otherwise bands of different pages may wait for each other.

#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "base/result.h"
#include "halftone/run/session.h"

namespace halftoned {

struct CudaLimits {
  size_t device_bytes = size_t{4} << 30;  // of the GPU's memory
  size_t pinned_bytes = size_t{1} << 30;  // of the host's; counts callers' too
};

// The device is of no more use to this process.
struct CudaDeath {
  std::string reason;
  // There is no such GPU, or its driver is missing, too old or inconsistent:
  // another process would fail in the same way for now.
  bool is_absent = false;
};

struct CudaOptions {
  CudaLimits limits;
  // Called once, by the thread that detects the failure.
  std::function<void(const CudaDeath&)> on_death = nullptr;
};

struct CudaFacts {
  std::string name;
  std::string uuid;  // "GPU-…"
  size_t memory_bytes = 0;
};

class CudaDevice {
 public:
  class Impl;

  // The size of gray that suits a band, in bytes. Copies of less than a
  // megabyte do not reach the bus's rate, and each band has a fixed cost;
  // larger bands make the pipeline longer. A4 at 600 dpi, pinned to pinned, on
  // an H200, in bands of 256, 512 and 1024 rows: one page 0.88, 0.83 and 0.84
  // ms, four at a time 45.8, 49.6 and 51.5 Gpx/s.
  static constexpr size_t kBandBytes = size_t{5} << 19;

  explicit CudaDevice(std::unique_ptr<Impl> impl);
  ~CudaDevice();
  CudaDevice(const CudaDevice&) = delete;
  CudaDevice& operator=(const CudaDevice&) = delete;

  const CudaFacts& facts() const;
  bool is_dead() const;
  // kUnavailable for a method that the GPU does not support, or for which a
  // small GPU has no room.
  Result<void> Serves(const Recipe& recipe) const;
  size_t memory_used() const;  // of the GPU's

  // A session on this GPU; its rooms are pinned memory, and caller-owned memory
  // must be held. kUnavailable if the GPU does not support the recipe, or its
  // rooms would exceed the limits now. Any thread may call Open; the device
  // outlives its sessions.
  Result<std::unique_ptr<Session>> Open(const PageOrder& order);

  // Bytes of the GPU's memory that Open takes for this order; 0 if it is not
  // valid.
  size_t BytesOf(const PageOrder& order) const;

  // Pins memory for sessions, as long as the caller keeps the result, which
  // must outlive the sessions. is_written: true if the memory is for bits.
  // kUnavailable beyond the limits, and where the system does not allow
  // pinning.
  Result<std::shared_ptr<void>> Hold(std::span<std::byte> memory,
                                     bool is_written);

 private:
  std::unique_ptr<Impl> impl_;
};

// ordinal: as CUDA counts the GPUs. kUnavailable if there is none, or the
// driver is missing or too old.
Result<std::unique_ptr<CudaDevice>> OpenCudaDevice(int ordinal,
                                                   CudaOptions options = {});

}  // namespace halftoned
