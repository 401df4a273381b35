// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A connection as its worker serves it: frames in, pages through an engine,
// frames out, without ever waiting. Used by one thread.

#ifndef HALFTONED_DAEMON_WORKER_CLIENT_H_
#define HALFTONED_DAEMON_WORKER_CLIENT_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/descriptor.h"
#include "base/result.h"
#include "daemon/control.h"
#include "daemon/worker/last_minute.h"
#include "daemon/worker/page_work.h"
#include "halftone/engine.h"
#include "wire/link.h"
#include "wire/ring.h"

namespace halftoned::daemon {

using Clock = std::chrono::steady_clock;

// What the clients of a worker share, whichever thread serves them. It outlives
// them.
struct Shop {
  const EngineList* engines = nullptr;
  // Of a device's memory, in use; null: there is no device.
  std::function<uint64_t()> device_bytes = nullptr;
  std::string engine = "auto";  // that clients are told; each page has the best
  uint32_t worker = 0;          // our number
  uint32_t band_bytes = 0;      // of gray that suit the engine; 0: any number
  int loops = 1;                // threads that serve clients
  size_t memory_limit = 0;      // bytes of all open pages
  std::chrono::milliseconds page_idle{};  // then a page is evicted
  // For pages that are open once the supervisor has died.
  std::chrono::seconds stop_patience{20};
  std::chrono::milliseconds frame_patience{10'000};  // for the rest of a frame

  std::atomic<size_t> memory_used = 0;
  std::atomic<bool> draining = false;

  // Memory for a page; false where that is beyond the limit.
  bool Reserve(size_t bytes) {
    if (memory_used.fetch_add(bytes) + bytes <= memory_limit) return true;
    memory_used -= bytes;
    return false;
  }
};

// A ring, and what an engine needs to work in it.
struct HeldRing {
  wire::RingMemory memory;
  const Engine* engine = nullptr;  // for which it is held; null: none yet
  std::shared_ptr<void> gray, bits;
};

class Client {
 public:
  // `on_ready` is called from any thread when Serve may have something to do.
  // last_minute: of which it is a part; null: none. It outlives the client.
  Client(Shop& shop, uint64_t number, Descriptor socket,
         std::function<void()> on_ready, LastMinute* last_minute = nullptr);
  ~Client() { Finish(); }

  int fd() const { return link_.fd(); }
  short events() const;

  // Does what can be done now; true if there may be more at once. An error is
  // the end of the connection: whoever reads it logs it.
  Result<bool> Serve();

  // Ends or evicts what is overdue. Call when `deadline` has come.
  Result<void> MindTime(Clock::time_point now);
  std::optional<Clock::time_point> deadline() const;

  // For a time in which the worker did not look, and nobody can be late or
  // idle.
  void Forgive(Clock::duration time) {
    link_.Forgive(time);
    active_ += time;
  }

  // While the worker drains: whether nothing keeps this client here.
  bool may_leave() const { return !page_ && !link_.has_unsent(); }

  const Counters& counters() const { return counters_; }
  // Ends the page that is open, if one is, and gives the count since.
  const Counters& Finish();
  Report::Connection Describe(Clock::time_point now) const;

 private:
  Result<bool> Step();
  Result<bool> SendAnswer();
  Result<bool> ReceiveTail();
  Result<void> Handle(wire::Link::Frame& frame);
  Result<void> HandleRing(const wire::Link::Frame& frame);
  Result<void> HandleOpen(const wire::Link::Frame& frame);
  Result<void> HandleBand(const wire::Link::Frame& frame);
  Result<void> OpenPage(const wire::Open& open);
  Result<void> HoldRing(const Engine& engine);
  // For an error of the page: tells the client, and closes the page. Returns
  // those errors that are the connection's end.
  Result<void> FailPage(const Error& error);
  void ClosePage();
  // Tells the client why the connection ends.
  Error Refuse(const Error& error);

  Shop& shop_;
  const uint64_t number_;
  wire::Link link_;
  const std::function<void()> on_ready_;
  std::optional<HeldRing> ring_;
  std::unique_ptr<PageWork> page_;
  size_t page_bytes_ = 0;
  uint32_t page_number_ = 0;        // of the page opened last, answered or not
  std::span<std::byte> tail_room_;  // empty: the tail goes nowhere
  bool receiving_tail_ = false;
  LastMinute* const last_minute_;
  Clock::time_point active_;  // when its client was last heard or answered
  Counters counters_;
};

}  // namespace halftoned::daemon

#endif  // HALFTONED_DAEMON_WORKER_CLIENT_H_
