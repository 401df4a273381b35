// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <algorithm>
#include <utility>

#include "halftone/gpu/host/device_impl.h"

namespace halftoned {
using cuda::Track;

CudaDevice::Impl::Impl(int ordinal, CudaOptions options)
    : ordinal_(ordinal),
      limits_(options.limits),
      health_(std::move(options.on_death)),
      poller_(ordinal, health_) {}

Result<std::unique_ptr<CudaDevice::Impl>> CudaDevice::Impl::Make(
    int ordinal, CudaOptions options) {
  std::unique_ptr<Impl> impl(new Impl(ordinal, std::move(options)));
  cuda::DeviceHealth& health = impl->health_;
  HALFTONED_TRY(impl->Enter());
  cuda::gpu::Facts facts;
  HALFTONED_TRY(health.Check(cuda::gpu::Learn(ordinal, &facts),
                             "learn what GPU this is"));
  impl->facts_ = {facts.name, facts.uuid, facts.memory_bytes};
  HALFTONED_TRY_ASSIGN(impl->up_, cuda::MakeStream(health));
  impl->multiprocessors_ = facts.multiprocessors;
  impl->collecting_.per_multiprocessor =
      facts.collecting_blocks_per_multiprocessor;
  impl->spreading_.per_multiprocessor =
      facts.spreading_blocks_per_multiprocessor;
  return {std::move(impl)};
}

Result<void> CudaDevice::Impl::Enter() {
  HALFTONED_TRY(health_.CheckAlive());
  return health_.Check(cuda::gpu::Attach(ordinal_), "use the GPU");
}

void CudaDevice::Impl::ForgetIdle() {
  device_bytes_ -= idle_.front()->size().device_bytes();
  pinned_bytes_ -= idle_.front()->size().pinned_bytes();
  idle_.erase(idle_.begin());
}

Result<std::unique_ptr<Track>> CudaDevice::Impl::Rent(const Track::Size& size) {
  const std::lock_guard lock(mutex_);
  const auto fits = std::ranges::find_if(idle_, [&](const auto& track) {
    return track->size().Holds(size) &&
           track->size().device_bytes() <= 2 * size.device_bytes();
  });
  if (fits != idle_.end()) {
    std::unique_ptr<Track> track = std::move(*fits);
    idle_.erase(fits);
    return {std::move(track)};
  }
  const auto exceeds = [&] {
    return device_bytes_ + size.device_bytes() > limits_.device_bytes ||
           pinned_bytes_ + size.pinned_bytes() > limits_.pinned_bytes;
  };
  while (exceeds() && !idle_.empty()) ForgetIdle();
  if (exceeds()) return Unavailable("the GPU's memory limit is reached");
  auto track = Track::Make(health_, size);
  // Other processes may have taken memory of the GPU.
  while (!track.ok() && !health_.is_dead() && !idle_.empty()) {
    ForgetIdle();
    track = Track::Make(health_, size);
  }
  if (!track.ok()) return track;
  device_bytes_ += size.device_bytes();
  pinned_bytes_ += size.pinned_bytes();
  return track;
}

Result<std::shared_ptr<void>> CudaDevice::Impl::Hold(
    std::span<std::byte> memory, bool is_written) {
  HALFTONED_TRY(Enter());
  {
    const std::lock_guard lock(mutex_);
    const auto exceeds = [&] {
      return pinned_bytes_ + memory.size() > limits_.pinned_bytes;
    };
    while (exceeds() && !idle_.empty()) ForgetIdle();
    if (exceeds()) return Unavailable("the limit of pinned memory is reached");
    pinned_bytes_ += memory.size();
  }
  const auto release = [this, bytes = memory.size()] {
    const std::lock_guard lock(mutex_);
    pinned_bytes_ -= bytes;
  };
  auto pinning = cuda::Pin(health_, memory.data(), memory.size(), is_written);
  if (!pinning.ok()) {
    release();
    return pinning.error();
  }
  return std::shared_ptr<void>(pinning->release(), [release](void* pinned) {
    cuda::Pinning(static_cast<std::byte*>(pinned)).reset();
    release();
  });
}

size_t CudaDevice::Impl::device_bytes() {
  const std::lock_guard lock(mutex_);
  return device_bytes_;
}

void CudaDevice::Impl::GiveBack(std::unique_ptr<Track> track) {
  std::lock_guard lock(mutex_);
  idle_.push_back(std::move(track));
}

bool CudaDevice::Impl::MayWait(cuda::KernelKind kind, int blocks) {
  std::lock_guard lock(mutex_);
  int per_multiprocessor = WaitingFor(kind).per_multiprocessor;
  for (const Waiting* waiting : {&collecting_, &spreading_}) {
    if (waiting->blocks == 0) continue;
    per_multiprocessor =
        std::min(per_multiprocessor, waiting->per_multiprocessor);
  }
  const bool needs_clusters =
      kind == cuda::KernelKind::kCollecting || collecting_.blocks > 0;
  const int places = per_multiprocessor * multiprocessors_;
  const int limit = needs_clusters ? places / 2 : places - 1;
  if (collecting_.blocks + spreading_.blocks + blocks > limit) {
    return false;
  }
  WaitingFor(kind).blocks += blocks;
  return true;
}

void CudaDevice::Impl::HasWaited(cuda::KernelKind kind, int blocks) {
  std::lock_guard lock(mutex_);
  WaitingFor(kind).blocks -= blocks;
}

CudaDevice::CudaDevice(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
CudaDevice::~CudaDevice() = default;

const CudaFacts& CudaDevice::facts() const { return impl_->facts(); }
bool CudaDevice::is_dead() const { return impl_->health().is_dead(); }
Result<void> CudaDevice::Serves(const Recipe& recipe) const {
  const auto kernel = cuda::FindKernel(recipe);
  if (!kernel) {
    return Unavailable("the GPU does not support " +
                       std::string(recipe.name()) + " with " +
                       std::to_string(recipe.levels().count) + " levels");
  }
  if (impl_->Spreads() || *kernel != cuda::KernelKind::kSpreading) return {};
  return Unavailable("this GPU has too little shared memory for the recipe");
}
size_t CudaDevice::BytesOf(const PageOrder& order) const {
  return cuda::FindKernel(order.recipe) ? DeviceBytesOfSession(order) : 0;
}
size_t CudaDevice::memory_used() const { return impl_->device_bytes(); }

Result<std::unique_ptr<Session>> CudaDevice::Open(const PageOrder& order) {
  HALFTONED_TRY(Serves(order.recipe));
  return OpenCudaSession(*impl_, order);
}

Result<std::shared_ptr<void>> CudaDevice::Hold(std::span<std::byte> memory,
                                               bool is_written) {
  return impl_->Hold(memory, is_written);
}

Result<std::unique_ptr<CudaDevice>> OpenCudaDevice(int ordinal,
                                                   CudaOptions options) {
  HALFTONED_TRY_ASSIGN(std::unique_ptr<CudaDevice::Impl> impl,
                       CudaDevice::Impl::Make(ordinal, std::move(options)));
  return std::make_unique<CudaDevice>(std::move(impl));
}

}  // namespace halftoned
