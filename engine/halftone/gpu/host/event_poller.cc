// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/gpu/host/event_poller.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace halftoned::cuda {
namespace {

// The pause between two polls. A band takes some 40 µs on the bus.
constexpr std::chrono::microseconds kPause(20);

}  // namespace

EventPoller::~EventPoller() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  work_.notify_one();
  if (thread_.joinable()) thread_.join();
}

bool EventPoller::IsIdle() const {
  return std::ranges::all_of(
      entries_, [](const auto& entry) { return entry.second.pending.empty(); });
}

void EventPoller::LookAtAll() {
  for (auto& [bands, entry] : entries_) {
    bool is_news = false;
    while (!entry.pending.empty()) {
      const gpu::Outcome outcome = gpu::Query(entry.pending.front().event);
      if (outcome.fault == gpu::Fault::kNotReady) break;
      // The session finds out about the error by itself.
      (void)health_.Check(outcome, "halftone a band");
      entry.pending.pop_front();
      is_news = true;
    }
    if (is_news) entry.on_ready();
  }
}

void EventPoller::Run() {
  if (!health_.Check(gpu::Attach(ordinal_), "use the GPU").ok()) return;
  std::unique_lock lock(mutex_);
  for (;;) {
    work_.wait(lock, [this] { return is_ending_ || !IsIdle(); });
    if (is_ending_) return;
    LookAtAll();
    lock.unlock();
    std::this_thread::sleep_for(kPause);
    lock.lock();
  }
}

EventPoller::Bands::Bands(EventPoller& watch, std::function<void()> on_ready)
    : poller_(watch), is_wanted_(on_ready != nullptr) {
  if (!is_wanted_) return;
  const std::lock_guard lock(poller_.mutex_);
  poller_.entries_[this].on_ready = std::move(on_ready);
  if (!poller_.thread_.joinable()) {
    poller_.thread_ = std::thread([&watch] { watch.Run(); });
  }
}

EventPoller::Bands::~Bands() {
  if (!is_wanted_) return;
  const std::lock_guard lock(poller_.mutex_);
  poller_.entries_.erase(this);
}

void EventPoller::Bands::Add(uint64_t band, gpu::Event* event) {
  if (!is_wanted_) return;
  {
    const std::lock_guard lock(poller_.mutex_);
    poller_.entries_[this].pending.push_back({band, event});
  }
  poller_.work_.notify_one();
}

void EventPoller::Bands::Forget(uint64_t band) {
  if (!is_wanted_) return;
  const std::lock_guard lock(poller_.mutex_);
  auto& pending = poller_.entries_[this].pending;
  while (!pending.empty() && pending.front().band <= band) pending.pop_front();
}

}  // namespace halftoned::cuda
