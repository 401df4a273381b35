// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/supervisor/workers/worker_pool.h"

#include <algorithm>
#include <utility>

namespace halftoned::daemon {
namespace {

// Pause before a suspect kind gets another chance.
constexpr Duration kQuarantine = std::chrono::seconds(30);
// Pause before looking again for a device that was missing or not ready.
constexpr Duration kUntilThere = std::chrono::minutes(1);
// A client waits for a worker that starts within this time.
constexpr Duration kSoon = std::chrono::seconds(1);

std::string NameOf(const WorkerKind& kind, uint32_t number) {
  return "worker " + std::to_string(number) + " (" + kind.name + ")";
}

std::string SecondsText(Duration duration) {
  const auto ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(duration).count();
  return std::to_string(ms / 1000) + "." + std::to_string(ms % 1000 / 100) +
         " s";
}

}  // namespace

void WorkerPool::SetKinds(std::vector<WorkerKind> kinds, Duration drain,
                          Instant now) {
  drain_ = drain;
  for (KindState& kind : kinds_) kind.is_wanted = false;
  for (WorkerKind& how : kinds) {
    auto kind = std::ranges::find(kinds_, how.name, [](const KindState& known) {
      return known.how.name;
    });
    if (kind == kinds_.end()) kind = kinds_.insert(kind, KindState());
    const bool is_out = !kind->kept_out.empty() || !kind->absent.empty();
    kind->is_wanted = true;
    kind->kept_out.clear();
    kind->absent.clear();
    if (kind->how == how && !is_out) continue;
    kind->how = std::move(how);
    kind->start_at = now;
  }
  for (size_t i = 0; i < kinds_.size(); ++i) {
    if (!kinds_[i].is_wanted) Retire(i, now);
  }
}

void WorkerPool::Retire(size_t index, Instant now) {
  kinds_[index].start_at = kNever;
  kinds_[index].current = 0;
  kinds_[index].how = {.name = kinds_[index].how.name};
  for (const auto& worker : workers_) {
    if (worker->kind() == index) worker->Drain(now + drain_);
  }
}

void WorkerPool::Start(size_t index, Instant now) {
  KindState& kind = kinds_[index];
  const uint32_t number = ++last_number_;
  Result<WorkerProcess> worker =
      WorkerProcess::Start(number, index, kind.how, now);
  if (!worker.ok()) {
    ++kind.deaths;
    const Duration wait = kind.backoff.OnDeath({});
    kind.start_at = now + wait;
    log_.Error("cannot start " + NameOf(kind.how, number) + ": " +
               worker.error().message + "; retrying in " + SecondsText(wait));
    return;
  }
  kind.current = number;
  kind.start_at = kNever;
  kind.ready_since = kNever;
  log_.Debug(NameOf(kind.how, number) + " starts as process " +
             std::to_string(worker->pid()));
  workers_.push_back(std::make_unique<WorkerProcess>(std::move(*worker)));
}

void WorkerPool::Prepare(PollSet& set, Instant now) {
  for (size_t i = 0; i < kinds_.size() && !is_stopping_; ++i) {
    if (kinds_[i].start_at <= now) Start(i, now);
    set.WakeAt(kinds_[i].start_at);
  }
  for (const auto& worker : workers_) worker->Prepare(set);
}

void WorkerPool::OnReady(const WorkerProcess& worker, Instant now) {
  KindState& kind = kinds_[worker.kind()];
  log_.Info(
      NameOf(kind.how, worker.number()) + " is ready: engine " +
      worker.ready().engine + ", " + std::to_string(worker.ready().threads) +
      " threads" +
      (worker.ready().device.empty() ? "" : ", " + worker.ready().device));
  kind.absent.clear();
  if (worker.number() == kind.current) kind.ready_since = now;
  for (const auto& other : workers_) {
    if (other->kind() == worker.kind() && other->number() < worker.number()) {
      other->Drain(now + drain_);
    }
  }
}

WorkerPool::News WorkerPool::Serve(const PollSet& set, Instant now) {
  News news;
  for (const auto& worker : workers_) {
    std::vector<FromWorker> said;
    const bool was_ready = worker->state() != WorkerProcess::State::kStarting;
    const std::optional<std::string> end = worker->Serve(set, now, said);
    if (!was_ready && worker->state() == WorkerProcess::State::kReady) {
      OnReady(*worker, now);
    }
    for (FromWorker& message : said) {
      news.words.push_back({worker->number(), std::move(message)});
    }
    if (end) OnEnd(*worker, *end, news);
  }
  std::erase_if(workers_, [&](const auto& worker) {
    return std::ranges::count(news.ended, worker->number()) > 0;
  });
  return news;
}

void WorkerPool::OnEnd(const WorkerProcess& worker, const std::string& end,
                       News& news) {
  news.ended.push_back(worker.number());
  const KindState& kind = kinds_[worker.kind()];
  const std::string name = NameOf(kind.how, worker.number());
  if (worker.is_drained()) {
    log_.Info(name + " has ended: " + end);
    return;
  }
  const std::string& reason = worker.reason().empty() ? end : worker.reason();
  news.deaths.push_back(
      {worker.number(), worker.kind(), worker.cause(), reason, worker.board()});
  if (worker.cause() != Dying::Cause::kAbsent) {
    log_.Error(name + " has died: " + end);
  } else if (kind.absent != reason) {  // once for each reason
    log_.Warning(name + " has no device: " + reason);
  }
}

void WorkerPool::StartAgain(const Death& death, bool is_suspect, Instant now) {
  KindState& kind = kinds_[death.kind];
  const bool is_absent = death.cause == Dying::Cause::kAbsent;
  if (!is_absent) ++kind.deaths;
  if (death.worker != kind.current || is_stopping_) return;
  kind.current = 0;
  if (is_absent) {
    kind.absent = death.reason;
    kind.start_at = now + kUntilThere;
    return;
  }
  if (kind.how.has_device && death.cause == Dying::Cause::kWrongBits) {
    kind.kept_out = death.reason;
    log_.Error(
        kind.how.name +
        " is quarantined until the configuration is reloaded: " + death.reason);
    return;
  }
  const Duration worked =
      kind.ready_since == kNever ? Duration() : now - kind.ready_since;
  Duration wait = kind.backoff.OnDeath(worked);
  if (is_suspect) wait = std::max(wait, kQuarantine);
  kind.start_at = now + wait;
  log_.Info("the next " + kind.how.name + " worker starts in " +
            SecondsText(wait));
}

void WorkerPool::Stop(Instant deadline) {
  is_stopping_ = true;
  for (const auto& worker : workers_) worker->Drain(deadline);
}

void WorkerPool::KillAll() {
  is_stopping_ = true;
  for (const auto& worker : workers_) {
    worker->Kill("the daemon exits immediately");
  }
}

WorkerProcess* WorkerPool::Find(uint32_t number) {
  for (const auto& worker : workers_) {
    if (worker->number() == number) return worker.get();
  }
  return nullptr;
}

std::vector<const WorkerProcess*> WorkerPool::Ready() const {
  std::vector<const WorkerProcess*> ready;
  for (const auto& worker : workers_) {
    if (worker->state() == WorkerProcess::State::kReady)
      ready.push_back(worker.get());
  }
  return ready;
}

bool WorkerPool::IsGrowing(Instant now) const {
  if (is_stopping_) return false;
  // A worker that is ending without being told to will have a successor.
  return std::ranges::any_of(workers_,
                             [](const auto& worker) {
                               using State = WorkerProcess::State;
                               return worker->state() == State::kStarting ||
                                      (worker->state() == State::kEnding &&
                                       !worker->is_drained());
                             }) ||
         std::ranges::any_of(kinds_, [&](const KindState& kind) {
           return kind.start_at != kNever && kind.start_at - now < kSoon;
         });
}

bool WorkerPool::OwesReports() const {
  return std::ranges::any_of(
      workers_, [](const auto& worker) { return worker->owes_report(); });
}

void WorkerPool::AskForReports() {
  for (const auto& worker : workers_) worker->Ask();
}

}  // namespace halftoned::daemon
