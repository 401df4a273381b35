// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <algorithm>
#include <utility>

#include "halftone/cuda/device.h"
#include "halftone/cuda/device_impl.cuh"
#include "halftone/cuda/launch.cuh"

namespace halftoned {

using cuda::Track;

Result<std::unique_ptr<CudaDevice::Impl>> CudaDevice::Impl::Make(
    int ordinal, CudaLimits limits) {
  std::unique_ptr<Impl> impl(new Impl);
  cuda::Health& health = impl->health_;
  impl->ordinal_ = ordinal;
  impl->limits_ = limits;
  HALFTONED_TRY(impl->Enter());
  cudaDeviceProp properties;
  HALFTONED_TRY(health.Check(cudaGetDeviceProperties(&properties, ordinal),
                             "learn what GPU this is"));
  impl->name_ = properties.name;
  const int multiprocessors = properties.multiProcessorCount;
  const size_t turns_bytes =
      sizeof(uint32_t) * static_cast<size_t>(multiprocessors);
  HALFTONED_TRY_ASSIGN(impl->turns_, cuda::AllocateDevice(health, turns_bytes));
  HALFTONED_TRY(health.Check(cudaMemset(impl->turns_.get(), 0, turns_bytes),
                             "clear memory of the GPU"));
  int blocks = 0;
  HALFTONED_TRY(health.Check(cuda::ResidentBlocks(&blocks),
                             "load the kernel for this GPU"));
  // One place of each multiprocessor stays free of waiting blocks.
  impl->places_ = (blocks - 1) * multiprocessors;
  return {std::move(impl)};
}

Result<void> CudaDevice::Impl::Enter() {
  HALFTONED_TRY(health_.CheckAlive());
  return health_.Check(cudaSetDevice(ordinal_), "use the GPU");
}

void CudaDevice::Impl::Forget(const Track& track) {
  device_bytes_ -= track.size().device_bytes();
  pinned_bytes_ -= track.size().pinned_bytes();
}

Result<std::unique_ptr<Track>> CudaDevice::Impl::Rent(const Track::Size& size) {
  std::lock_guard lock(mutex_);
  const auto fits = std::ranges::find_if(
      idle_, [&](const auto& track) { return track->size().Holds(size); });
  if (fits != idle_.end()) {
    std::unique_ptr<Track> track = std::move(*fits);
    idle_.erase(fits);
    return {std::move(track)};
  }
  const auto exceeds = [&] {
    return device_bytes_ + size.device_bytes() > limits_.device_bytes ||
           pinned_bytes_ + size.pinned_bytes() > limits_.pinned_bytes;
  };
  while (exceeds() && !idle_.empty()) {
    Forget(*idle_.front());
    idle_.erase(idle_.begin());
  }
  if (exceeds()) return Unavailable("the GPU's memory limit is reached");
  HALFTONED_TRY_ASSIGN(std::unique_ptr<Track> track,
                       Track::Make(health_, size));
  device_bytes_ += size.device_bytes();
  pinned_bytes_ += size.pinned_bytes();
  return {std::move(track)};
}

void CudaDevice::Impl::GiveBack(std::unique_ptr<Track> track) {
  std::lock_guard lock(mutex_);
  idle_.push_back(std::move(track));
}

bool CudaDevice::Impl::MayWait(int blocks) {
  std::lock_guard lock(mutex_);
  if (waiting_ + blocks > places_) return false;
  waiting_ += blocks;
  return true;
}

void CudaDevice::Impl::HasWaited(int blocks) {
  std::lock_guard lock(mutex_);
  waiting_ -= blocks;
}

CudaDevice::CudaDevice(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
CudaDevice::~CudaDevice() = default;

const std::string& CudaDevice::name() const { return impl_->name(); }
bool CudaDevice::is_dead() const { return impl_->health().is_dead(); }

Result<std::unique_ptr<Session>> CudaDevice::Open(const PageOrder& order) {
  return OpenCudaSession(*impl_, order);
}

Result<std::unique_ptr<CudaDevice>> OpenCudaDevice(int ordinal,
                                                   CudaLimits limits) {
  HALFTONED_TRY_ASSIGN(std::unique_ptr<CudaDevice::Impl> impl,
                       CudaDevice::Impl::Make(ordinal, limits));
  return std::make_unique<CudaDevice>(std::move(impl));
}

}  // namespace halftoned
