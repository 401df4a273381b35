// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes a snapshot of the supervisor.

#include <algorithm>
#include <set>

#include "daemon/supervisor/status/snapshot.h"
#include "daemon/supervisor/supervisor.h"

namespace halftoned::daemon {
namespace {

double Seconds(Duration duration) {
  return std::chrono::duration<double>(duration).count();
}

std::string_view NameOf(WorkerProcess::State state) {
  switch (state) {
    case WorkerProcess::State::kStarting:
      return "starting";
    case WorkerProcess::State::kReady:
      return "ready";
    case WorkerProcess::State::kDraining:
      return "draining";
    case WorkerProcess::State::kEnding:
      break;
  }
  return "ending";
}

uint32_t PlacesOf(const Ready& ready) {
  if (ready.pages > 0) return ready.pages;
  return static_cast<uint32_t>(std::max(ready.threads, 0));
}

WorkerStatus Describe(const WorkerProcess& worker,
                      const WorkerPool::KindState& kind, size_t connections,
                      Instant now) {
  const double uptime = Seconds(now - worker.started());
  const double seconds = std::clamp(uptime, 1.0, 60.0);
  const Report& report = worker.report();
  const auto rate = [seconds](uint64_t of_last_minute) {
    return static_cast<double>(of_last_minute) / seconds;
  };
  return {.number = worker.number(),
          .kind = kind.how.name,
          .pid = worker.pid(),
          .state = NameOf(worker.state()),
          .answers = !worker.owes_report(),
          .engine = worker.ready().engine,
          .threads = worker.ready().threads,
          .deaths = kind.deaths,
          .uptime_seconds = uptime,
          .connections = connections,
          .pages_per_second = rate(report.last_minute.pages),
          .gray_bytes_per_second = rate(report.last_minute.gray_bytes),
          .page_bytes = report.page_bytes,
          .device = worker.ready().device,
          .device_bytes = report.device_bytes,
          .device_memory = worker.ready().device_memory,
          .is_slow = worker.is_slow(),
          .places = PlacesOf(worker.ready()),
          .bands_in_flight = report.bands_in_flight,
          .work = report.work};
}

SessionStatus Describe(uint64_t number, const Connection& connection,
                       Instant now) {
  return {.connection = number,
          .worker = connection.worker,
          .uid = connection.peer.uid,
          .job = connection.hello.job,
          .printer = connection.hello.printer,
          .title = connection.hello.title,
          .page = connection.last.page,
          .row = connection.last.next_row,
          .done = connection.last.counters,
          .age_seconds = Seconds(now - connection.since),
          .idle_seconds = static_cast<double>(connection.last.idle_ms) / 1000};
}

void AddKinds(const WorkerPool& pool, Snapshot& snapshot) {
  for (const WorkerPool::KindState& kind : pool.kinds()) {
    snapshot.deaths[kind.how.name] = kind.deaths;
    if (!kind.kept_out.empty()) {
      snapshot.kept_out[kind.how.name] = kind.kept_out;
    }
    if (!kind.absent.empty()) snapshot.absent[kind.how.name] = kind.absent;
  }
}

}  // namespace

Snapshot Supervisor::Describe(Instant now) const {
  Snapshot snapshot;
  snapshot.version = HALFTONED_VERSION;
  snapshot.is_stopping = is_stopping_;
  snapshot.uptime_seconds = Seconds(now - started_);
  for (const auto& worker : worker_pool_.workers()) {
    snapshot.workers.push_back(
        daemon::Describe(*worker, worker_pool_.kinds()[worker->kind()],
                         connection_table_.CountOf(worker->number()), now));
  }
  std::set<JobKey> jobs;
  for (const auto& [number, connection] : connection_table_.connections()) {
    if (connection.is_own) continue;
    snapshot.sessions.push_back(daemon::Describe(number, connection, now));
    if (connection.hello.job != 0) jobs.insert(connection.job());
    if (connection.last.page == 0) continue;
    const auto worker = std::ranges::find(snapshot.workers, connection.worker,
                                          &WorkerStatus::number);
    if (worker != snapshot.workers.end()) ++worker->open_pages;
  }
  snapshot.jobs = jobs.size();
  snapshot.waiting = client_listener_.waiting();
  snapshot.waits = waits_;
  snapshot.engines = connection_table_.Totals();
  snapshot.connections = client_listener_.accepted();
  for (size_t i = 0; i < kRefusals.size(); ++i) {
    snapshot.refusals[i] = client_listener_.refused(static_cast<Refusal>(i));
  }
  AddKinds(worker_pool_, snapshot);
  snapshot.fail_overs = fail_overs_;
  snapshot.dismissed = dismissed_;
  snapshot.health_checks = health_.checks();
  snapshot.health_failures = health_.failures();
  return snapshot;
}

}  // namespace halftoned::daemon
