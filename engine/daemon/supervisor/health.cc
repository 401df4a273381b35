// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/supervisor/health.h"

#include <algorithm>
#include <utility>

namespace halftoned::daemon {
namespace {

// A page may wait for those of many others, but not longer.
constexpr Duration kLeastPatience = std::chrono::seconds(2);
constexpr Duration kMostPatience = std::chrono::seconds(10);

}  // namespace

void Health::Prepare(PollSet& set, const Crew& crew, Instant now) {
  if (is_stopped_) return;
  if (checked_ == 0 && round_.empty() && next_round_ <= now) {
    for (const WorkerProcess* worker : crew.Ready()) {
      round_.push_back(worker->number());
    }
    next_round_ = now + interval_;
  }
  if (checked_ == 0 && !round_.empty()) {
    Begin(round_.front());
    round_.pop_front();
  }
  set.Watch(canary_.fd());
  if (checked_ == 0) set.WakeAt(next_round_);
}

void Health::Begin(uint32_t worker) {
  checked_ = worker;
  is_reached_ = false;
  ++checks_;
  wire::RemoteOptions options;
  options.socket = socket_;
  options.hello.wanted_worker = worker;
  options.hello.title = "check of health";
  options.patience = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::clamp(interval_, kLeastPatience, kMostPatience));
  canary_.Check(std::move(options));
}

std::optional<Health::Finding> Health::Serve(const PollSet& set) {
  if (is_stopped_ || checked_ == 0 || !set.IsReady(canary_.fd())) {
    return std::nullopt;
  }
  std::optional<Result<void>> result = canary_.TakeResult();
  if (!result) return std::nullopt;
  if (!result->ok()) ++failures_;
  return Finding{std::exchange(checked_, 0), is_reached_, std::move(*result)};
}

void Health::OnAdopted(uint32_t worker) {
  if (worker == checked_) is_reached_ = true;
}

}  // namespace halftoned::daemon
