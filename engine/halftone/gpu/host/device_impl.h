// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a device's sessions share: its health, its idle tracks, and the count
// of blocks that may wait for other kernels.

#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "halftone/gpu/host/device.h"
#include "halftone/gpu/host/event_poller.h"
#include "halftone/gpu/host/session/handed_rows.h"
#include "halftone/gpu/host/track.h"

namespace halftoned {

// Any thread may call any function.
class CudaDevice::Impl {
 public:
  static Result<std::unique_ptr<Impl>> Make(int ordinal, CudaOptions options);

  const CudaFacts& facts() const { return facts_; }
  bool Spreads() const { return spreading_.per_multiprocessor > 0; }
  cuda::DeviceHealth& health() { return health_; }
  cuda::EventPoller& poller() { return poller_; }

  // Makes this the calling thread's GPU.
  Result<void> Enter();

  // An idle track that is large enough and takes at most twice the requested
  // memory of the GPU, since its user is charged for that; or a new track.
  // Within the limits.
  Result<std::unique_ptr<cuda::Track>> Rent(const cuda::Track::Size& size);
  // Precondition: nothing of the track is in flight.
  void GiveBack(std::unique_ptr<cuda::Track> track);

  Result<std::shared_ptr<void>> Hold(std::span<std::byte> memory,
                                     bool is_written);
  size_t device_bytes();

  // All bands of gray are copied to the GPU on this stream, in the order in
  // which they were submitted: a copy waits only for the copies before it, and
  // the bus does not alternate between streams.
  cuda::gpu::Stream* up() { return up_.get(); }

  // A kernel that is launched while the kernel of the band above it still runs
  // waits for that kernel's states, and its blocks hold their places on the
  // multiprocessors meanwhile. The blocks of all such kernels together leave
  // room for every kernel that they wait for, regardless of the order in which
  // the GPU starts them, so none of them waits forever. A session without
  // permission makes its kernel wait, on the stream, until another kernel of
  // its page has ended.
  //
  // The room: if a multiprocessor can hold m blocks of each waiting kind, it
  // can hold any m of them together. While fewer than m blocks per
  // multiprocessor wait, some multiprocessor has room for one more block. That
  // is enough where blocks start one by one. Blocks of a cluster, up to eight,
  // start together, perhaps on as many multiprocessors of one group of sixteen
  // or more. There, waiting blocks may have half of all places: then half of
  // the multiprocessors of some group have room.
  //
  // 32 A4 pages at 600 dpi on an H200, fine, 4 at a time, in bands of 512 rows:
  // 32.8 ms when `fine` too could have only half of all places, 23.3 with this
  // and with one stream for all copies up; copying up alone takes 20.7.
  //
  // A GPU holds at most 128 kernels, so a kernel counts for at least
  // kLeastBlocks.
  static constexpr int kLeastBlocks = 4;
  bool MayWait(cuda::KernelKind kind, int blocks);
  void HasWaited(cuda::KernelKind kind, int blocks);

 private:
  Impl(int ordinal, CudaOptions options);
  // Kernels that can wait for others; deciding kernels never wait.
  struct Waiting {
    int per_multiprocessor = 0;  // blocks that it holds
    int blocks = 0;
  };
  Waiting& WaitingFor(cuda::KernelKind kind) {
    return kind == cuda::KernelKind::kCollecting ? collecting_ : spreading_;
  }
  // Precondition: the mutex is held.
  void ForgetIdle();

  const int ordinal_;
  const CudaLimits limits_;
  CudaFacts facts_;
  cuda::DeviceHealth health_;
  cuda::Stream up_;
  int multiprocessors_ = 0;

  std::mutex mutex_;
  Waiting collecting_, spreading_;
  size_t device_bytes_ = 0;
  size_t pinned_bytes_ = 0;
  std::vector<std::unique_ptr<cuda::Track>> idle_;
  cuda::EventPoller poller_;
};

// The session of a page on `device`, whose rooms lie in `track`.
Result<std::unique_ptr<Session>> OpenCudaSession(CudaDevice::Impl& device,
                                                 const PageOrder& order);
// Bytes of the GPU's memory; 0 if the order is not valid.
size_t DeviceBytesOfSession(const PageOrder& order);

}  // namespace halftoned
