// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A GPU of this process as an engine among others.

#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "halftone/gpu/host/device.h"
#include "halftone/run/engine.h"

namespace halftoned {

class CudaEngine : public Engine {
 public:
  // `device` outlives it.
  explicit CudaEngine(CudaDevice& device) : device_(device) {}

  std::string_view name() const override { return "cuda"; }
  std::string_view needs() const override { return "an NVIDIA GPU"; }
  int priority() const override { return 100; }
  Result<void> Probe() const override {
    if (!device_.is_dead()) return {};
    return Unavailable("the GPU has failed in this process");
  }
  Result<void> Serves(const Recipe& recipe) const override {
    return device_.Serves(recipe);
  }
  Result<std::unique_ptr<Session>> Open(const PageOrder& order) const override {
    return device_.Open(order);
  }
  size_t DeviceBytes(const PageOrder& order) const override {
    return device_.BytesOf(order);
  }
  bool needs_hold() const override { return true; }
  Result<std::shared_ptr<void>> Hold(std::span<std::byte> memory,
                                     bool is_written) const override {
    return device_.Hold(memory, is_written);
  }

 private:
  CudaDevice& device_;
};

}  // namespace halftoned
