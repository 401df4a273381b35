// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/supervisor/health.h"

#include <algorithm>
#include <utility>

namespace halftoned::daemon {
namespace {

// A page may wait for those of many others, but not longer.
constexpr Duration kLeastPatience = std::chrono::seconds(2);
constexpr Duration kMostPatience = std::chrono::seconds(10);

bool IsReady(const Crew& crew, uint32_t number) {
  return std::ranges::any_of(crew.Ready(), [&](const WorkerProcess* worker) {
    return worker->number() == number;
  });
}

}  // namespace

void Health::Prepare(PollSet& set, const Crew& crew, Instant now) {
  if (is_stopped_) return;
  if (checked_ == 0 && round_.empty() && next_round_ <= now) {
    for (const WorkerProcess* worker : crew.Ready()) {
      round_.push_back(worker->number());
    }
    next_round_ = now + interval_;
  }
  while (checked_ == 0 && !round_.empty()) {
    const uint32_t worker = round_.front();
    round_.pop_front();
    if (IsReady(crew, worker)) Begin(worker, now);
  }
  set.Watch(canary_.fd());
  if (checked_ == 0) set.WakeAt(next_round_);
}

void Health::Begin(uint32_t worker, Instant now) {
  checked_ = worker;
  begun_ = now;
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

std::optional<Health::Finding> Health::Serve(const PollSet& set,
                                             const Crew& crew, Instant now) {
  if (is_stopped_ || checked_ == 0 || !set.IsReady(canary_.fd())) {
    return std::nullopt;
  }
  const std::optional<Result<void>> result = canary_.TakeResult();
  if (!result) return std::nullopt;
  const uint32_t worker = std::exchange(checked_, 0);
  // Whoever has been drained or has died meanwhile could not answer.
  if (!IsReady(crew, worker)) return std::nullopt;
  const Verdict verdict = Judge(worker, *result);
  if (verdict != Verdict::kWell) ++failures_;
  if (result->ok()) return Finding{worker, verdict, "", false, now - begun_};
  return Finding{worker, verdict, result->error().message,
                 result->error().code == ErrorCode::kBug, now - begun_};
}

Health::Verdict Health::Judge(uint32_t worker, const Result<void>& result) {
  const bool was_late = std::exchange(late_, 0) == worker;
  if (result.ok()) return Verdict::kWell;
  if (!is_reached_) return Verdict::kUnreached;
  // Wrong bits are wrong.
  if (was_late || result.error().code != ErrorCode::kUnavailable) {
    return Verdict::kSick;
  }
  late_ = worker;
  round_.push_front(worker);
  return Verdict::kLate;
}

void Health::OnAdopted(uint32_t worker) {
  if (worker == checked_) is_reached_ = true;
}

}  // namespace halftoned::daemon
