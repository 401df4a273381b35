// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/cuda/watch.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace halftoned::cuda {
namespace {

// Between two looks. A band takes some 40 µs on the bus.
constexpr std::chrono::microseconds kPause(20);

}  // namespace

Watch::~Watch() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  work_.notify_one();
  if (thread_.joinable()) thread_.join();
}

bool Watch::IsIdle() const {
  return std::ranges::all_of(
      entries_, [](const auto& entry) { return entry.second.pending.empty(); });
}

void Watch::LookAtAll() {
  for (auto& [bands, entry] : entries_) {
    bool is_news = false;
    while (!entry.pending.empty()) {
      const gpu::Outcome outcome = gpu::Query(entry.pending.front().event);
      if (outcome.fault == gpu::Fault::kNotReady) break;
      // What is wrong, the session finds out for itself.
      (void)health_.Check(outcome, "halftone a band");
      entry.pending.pop_front();
      is_news = true;
    }
    if (is_news) entry.on_ready();
  }
}

void Watch::Run() {
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

Watch::Bands::Bands(Watch& watch, std::function<void()> on_ready)
    : watch_(watch), is_wanted_(on_ready != nullptr) {
  if (!is_wanted_) return;
  const std::lock_guard lock(watch_.mutex_);
  watch_.entries_[this].on_ready = std::move(on_ready);
  if (!watch_.thread_.joinable()) {
    watch_.thread_ = std::thread([&watch] { watch.Run(); });
  }
}

Watch::Bands::~Bands() {
  if (!is_wanted_) return;
  const std::lock_guard lock(watch_.mutex_);
  watch_.entries_.erase(this);
}

void Watch::Bands::Add(uint64_t band, gpu::Event* event) {
  if (!is_wanted_) return;
  {
    const std::lock_guard lock(watch_.mutex_);
    watch_.entries_[this].pending.push_back({band, event});
  }
  watch_.work_.notify_one();
}

void Watch::Bands::Forget(uint64_t band) {
  if (!is_wanted_) return;
  const std::lock_guard lock(watch_.mutex_);
  auto& pending = watch_.entries_[this].pending;
  while (!pending.empty() && pending.front().band <= band) pending.pop_front();
}

}  // namespace halftoned::cuda
