// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a device's sessions share: its health, its idle tracks, and the count
// of blocks that may wait for other kernels.

#ifndef HALFTONED_HALFTONE_CUDA_DEVICE_IMPL_H_
#define HALFTONED_HALFTONE_CUDA_DEVICE_IMPL_H_

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "halftone/cuda/device.h"
#include "halftone/cuda/handed_rows.h"
#include "halftone/cuda/track.h"
#include "halftone/cuda/watch.h"

namespace halftoned {

// Any thread may call any function.
class CudaDevice::Impl {
 public:
  static Result<std::unique_ptr<Impl>> Make(int ordinal, CudaOptions options);

  const CudaFacts& facts() const { return facts_; }
  cuda::Health& health() { return health_; }
  cuda::Watch& watch() { return watch_; }
  uint32_t* turns() { return reinterpret_cast<uint32_t*>(turns_.get()); }

  // Makes this the calling thread's GPU.
  Result<void> Enter();

  // An idle track that is large enough, or a new one. Within the limits.
  Result<std::unique_ptr<cuda::Track>> Rent(const cuda::Track::Size& size);
  // Nothing of the track is in flight any more.
  void GiveBack(std::unique_ptr<cuda::Track> track);

  Result<std::shared_ptr<void>> Hold(std::span<std::byte> memory,
                                     bool is_written);
  size_t device_bytes();

  // A kernel that is launched while the kernel of the band above it still runs
  // waits for that one's states, and holds its places on the multiprocessors
  // meanwhile. As long as all such blocks together leave places free, every
  // kernel that they wait for comes to run, whatever the order in which the
  // GPU starts them: so none of them waits for ever. Whoever gets no leave
  // makes the kernel wait for the other's end instead, on the stream.
  //
  // Places are shares of a multiprocessor. What a block of one kind needs is
  // at most its share of each resource; so while the places taken leave the
  // share of the largest block free on an average multiprocessor, there is one
  // on which that block fits.
  int PlacesFor(cuda::KernelKind kind, int blocks) const;
  bool MayWait(int places);
  void HasWaited(int places);

 private:
  Impl(int ordinal, CudaOptions options);
  // With the mutex held.
  void ForgetIdle();

  const int ordinal_;
  const CudaLimits limits_;
  CudaFacts facts_;
  cuda::Health health_;
  cuda::DeviceMemory turns_;
  int collecting_share_ = 0;  // places that a block takes
  int spreading_share_ = 0;
  int places_ = 0;  // for blocks that wait for other kernels

  std::mutex mutex_;
  int waiting_ = 0;
  size_t device_bytes_ = 0;
  size_t pinned_bytes_ = 0;
  std::vector<std::unique_ptr<cuda::Track>> idle_;
  cuda::Watch watch_;
};

// The session of a page on `device`, whose rooms lie in `track`.
Result<std::unique_ptr<Session>> OpenCudaSession(CudaDevice::Impl& device,
                                                 const PageOrder& order);

}  // namespace halftoned

#endif  // HALFTONED_HALFTONE_CUDA_DEVICE_IMPL_H_
