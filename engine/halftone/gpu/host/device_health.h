// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns a GPU's outcomes into Results. Lack of memory is an ordinary result.
// Any other fault may have corrupted the process' context: such a fault ends
// the device, and the owner of the process is notified and should end it.

#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <utility>

#include "base/result.h"
#include "halftone/gpu/host/device.h"
#include "halftone/gpu/host/gpu.h"

namespace halftoned::cuda {

// Shared by a device and its sessions; any thread may use it.
class DeviceHealth {
 public:
  explicit DeviceHealth(std::function<void(const CudaDeath&)> on_death)
      : on_death_(std::move(on_death)) {}

  bool is_dead() const { return dead_.load(std::memory_order_relaxed); }

  // `what` was being done, as in "copy a band to the GPU".
  Result<void> Check(const gpu::Outcome& outcome, const char* what) {
    if (outcome.fault == gpu::Fault::kNone) return {};
    const Error error =
        Unavailable(std::string("could not ") + what + ": " + outcome.text);
    if (outcome.fault == gpu::Fault::kRefused) return error;
    const bool is_absent = outcome.fault == gpu::Fault::kAbsent ||
                           outcome.fault == gpu::Fault::kMismatch;
    if (!dead_.exchange(true) && on_death_) {
      on_death_({error.message, is_absent});
    }
    return error;
  }

  Result<void> CheckAlive() const {
    if (!is_dead()) return {};
    return Unavailable("the GPU has failed in this process");
  }

 private:
  const std::function<void(const CudaDeath&)> on_death_;
  std::atomic<bool> dead_{false};
};

}  // namespace halftoned::cuda
