// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/supervisor/workers/health_check.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "daemon/health_page.h"

namespace halftoned::daemon {
namespace {

// Limits for a check: its page may have to wait behind many others.
constexpr Duration kLeastPatience = std::chrono::seconds(2);
constexpr Duration kMostPatience = std::chrono::seconds(10);

// Null if the worker is not ready.
const WorkerProcess* FindReady(const WorkerPool& workers, uint32_t number) {
  for (const WorkerProcess* worker : workers.Ready()) {
    if (worker->number() == number) return worker;
  }
  return nullptr;
}

// The recipes that a worker is checked with: the first, which all workers
// serve, and the others that this one serves.
std::vector<Recipe> RecipesFor(const Ready& ready) {
  std::vector<Recipe> recipes = HealthRecipes();
  recipes.erase(std::remove_if(recipes.begin() + 1, recipes.end(),
                               [&](const Recipe& recipe) {
                                 return !ready.Serves(KindOf(recipe.parts()));
                               }),
                recipes.end());
  return recipes;
}

}  // namespace

void HealthCheck::Prepare(PollSet& set, const WorkerPool& workers,
                          Instant now) {
  if (is_stopped_) return;
  if (checked_ == 0 && round_.empty() && next_round_ <= now) {
    for (const WorkerProcess* worker : workers.Ready()) {
      round_.push_back(worker->number());
    }
    next_round_ = now + interval_;
  }
  while (checked_ == 0 && !round_.empty()) {
    const WorkerProcess* worker = FindReady(workers, round_.front());
    round_.pop_front();
    if (worker) Begin(*worker, now);
  }
  set.Watch(canary_.fd());
  if (checked_ == 0) set.WakeAt(next_round_);
}

void HealthCheck::Begin(const WorkerProcess& worker, Instant now) {
  checked_ = worker.number();
  begun_ = now;
  patience_ = std::clamp(interval_, kLeastPatience, kMostPatience);
  is_sent_ = false;
  is_adopted_ = false;
  wire::RemoteOptions options;
  options.socket = socket_;
  options.hello.wanted_worker = checked_;
  options.hello.title = "health check";
  options.patience =
      std::chrono::duration_cast<std::chrono::milliseconds>(patience_);
  // The worker may have had descriptors left for the connection, but not for
  // its ring.
  options.use_ring = late_ != checked_;
  canary_.Check({std::move(options), RecipesFor(worker.ready())});
}

std::optional<HealthCheck::Finding> HealthCheck::Serve(
    const PollSet& set, const WorkerPool& workers, Instant now) {
  if (is_stopped_ || checked_ == 0 || !set.IsReady(canary_.fd())) {
    return std::nullopt;
  }
  const std::optional<Result<void>> result = canary_.TakeResult();
  if (!result) return std::nullopt;
  const uint32_t worker = std::exchange(checked_, 0);
  // A worker that was drained or died meanwhile could not reply.
  if (!FindReady(workers, worker)) return std::nullopt;
  const Duration took = now - begun_;
  const Verdict verdict = Judge(worker, *result, took);
  ++checks_;
  if (verdict != Verdict::kWell) ++failures_;
  if (result->ok()) return Finding{worker, verdict, "", false, took};
  return Finding{worker, verdict, result->error().message,
                 result->error().code == ErrorCode::kBug, took};
}

bool HealthCheck::IsReached(const Result<void>& result, Duration took) const {
  return is_sent_ && (is_adopted_ || took >= patience_ ||
                      result.error().code != ErrorCode::kUnavailable);
}

HealthCheck::Verdict HealthCheck::Judge(uint32_t worker,
                                        const Result<void>& result,
                                        Duration took) {
  const bool was_late = std::exchange(late_, 0) == worker;
  if (result.ok()) return Verdict::kWell;
  if (!IsReached(result, took)) return Verdict::kUnreached;
  // Lateness is forgiven once, wrong bits never.
  if (was_late || result.error().code != ErrorCode::kUnavailable) {
    return Verdict::kSick;
  }
  late_ = worker;
  round_.push_front(worker);
  return Verdict::kLate;
}

void HealthCheck::OnSent(uint32_t worker) {
  if (worker == checked_) is_sent_ = true;
}

void HealthCheck::OnAdopted(uint32_t worker) {
  if (worker == checked_) is_adopted_ = true;
}

}  // namespace halftoned::daemon
