// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tells sessions when bands are done: a thread that polls their events while
// any are pending. CUDA does not call its own callbacks after a failure, so a
// session that relied on them could wait forever.

#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

#include "halftone/gpu/host/device_health.h"
#include "halftone/gpu/host/gpu.h"

namespace halftoned::cuda {

class EventPoller {
 public:
  // Bands of one session, in the order in which they are done. The session
  // destroys this before the events. Used by one thread at a time.
  class Bands;

  // ordinal: the GPU's. `health` outlives the poller.
  EventPoller(int ordinal, DeviceHealth& health)
      : ordinal_(ordinal), health_(health) {}
  // Precondition: all Bands have ended.
  ~EventPoller();
  EventPoller(const EventPoller&) = delete;
  EventPoller& operator=(const EventPoller&) = delete;

 private:
  struct Pending {
    uint64_t band;
    gpu::Event* event;
  };
  struct Entry {
    std::deque<Pending> pending;
    std::function<void()> on_ready;
  };

  void Run();
  // Tells the sessions whose next band is done. Precondition: the mutex is
  // held.
  void LookAtAll();
  bool IsIdle() const;

  const int ordinal_;
  DeviceHealth& health_;
  std::mutex mutex_;
  std::condition_variable work_;
  std::map<const Bands*, Entry> entries_;
  bool is_ending_ = false;
  std::thread thread_;  // started by the first session that wants to be told
};

class EventPoller::Bands {
 public:
  // The watch's thread calls on_ready, which may be empty.
  Bands(EventPoller& watch, std::function<void()> on_ready);
  // Afterwards, on_ready is not called any longer.
  ~Bands();
  Bands(const Bands&) = delete;
  Bands& operator=(const Bands&) = delete;

  // band: its number; numbers ascend. Precondition: the event has been
  // recorded.
  void Add(uint64_t band, gpu::Event* event);
  // This band has been taken; its event may be used for another band.
  void Forget(uint64_t band);

 private:
  EventPoller& poller_;
  const bool is_wanted_;
};

}  // namespace halftoned::cuda
