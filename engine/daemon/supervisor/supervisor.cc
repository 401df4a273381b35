// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/supervisor/supervisor.h"

#include <signal.h>
#include <sys/signalfd.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "config/gpus.h"

namespace halftoned::daemon {
namespace {

// How long workers may take to report for a status request.
constexpr Duration kTimeToReport = std::chrono::milliseconds(500);
// Connections idle for less time are not dismissed for others.
constexpr Duration kLeastIdle = std::chrono::seconds(2);
// For a shutdown, in addition to the time for open pages.
constexpr std::chrono::seconds kTimeToEnd(5);

std::vector<WorkerKind> KindsOf(const DaemonConfig& config,
                                const std::string& folder,
                                const std::optional<WorkerUser>& user) {
  const std::vector<std::string> common = {
      "--memory",       std::to_string(config.memory),
      "--jobs",         std::to_string(config.max_connections),
      "--page-idle",    std::to_string(config.page_idle),
      "--stop-timeout", std::to_string(config.stop_timeout)};
  std::vector<WorkerKind> kinds = {
      {.name = "cpu",
       .executable = folder + "/worker-cpu",
       .arguments = {"--threads", std::to_string(config.threads)}}};
  for (const std::string& gpu : ServedGpus(config.gpus, folder)) {
    kinds.push_back(
        {.name = config.gpus.all ? "gpu-" + gpu : gpu,
         .executable = GpuWorker(folder),
         .arguments = {"--gpu", gpu,  //
                       "--gpu-memory", std::to_string(config.gpu_memory),
                       "--check", std::to_string(config.gpu_check)},
         .priority = 1,
         .has_device = true});
  }
  for (WorkerKind& kind : kinds) {
    kind.user = user;
    kind.arguments.insert(kind.arguments.end(), common.begin(), common.end());
  }
  return kinds;
}

// The configured interval, limited by systemd's watchdog.
Duration HealthInterval(const DaemonConfig& config) {
  Duration interval = std::chrono::seconds(config.health_interval);
  uint64_t watchdog_us = 0;
  if (::sd_watchdog_enabled(0, &watchdog_us) > 0) {
    interval = std::min<Duration>(interval,
                                  std::chrono::microseconds(watchdog_us / 4));
  }
  return interval;
}

bool NeedsRestart(const DaemonConfig& a, const DaemonConfig& b) {
  return a.socket != b.socket || a.status_socket != b.status_socket ||
         a.user.value != b.user.value ||
         a.worker_user.value != b.worker_user.value ||
         a.group.value != b.group.value;
}

}  // namespace

Supervisor::Supervisor(Setup setup, Listeners& listeners, Canary& canary,
                       int signals, Log& log)
    : setup_(std::move(setup)),
      log_(log),
      signals_(signals),
      admission_(Limits{}),
      worker_pool_(log),
      client_listener_(
          listeners.TakeClients(), admission_,
          [this](Refusal refusal, uid_t uid, Instant now) {
            return MakeRoom(refusal, uid, now);
          },
          socket_closer_, log),
      desk_(listeners.TakeStatus(), socket_closer_),
      health_(canary, listeners.path()) {
  Configure(started_);
}

Result<void> Supervisor::Run() {
  while (!is_stopping_ || !worker_pool_.workers().empty()) {
    PollSet set;
    Prepare(set, Clock::now());
    HALFTONED_TRY(set.Wait());
    Serve(set, Clock::now());
  }
  log_.Info("ends");
  return {};
}

void Supervisor::Prepare(PollSet& set, Instant now) {
  set.Watch(signals_);
  worker_pool_.Prepare(set, now);
  health_.Prepare(set, worker_pool_, now);
  client_listener_.Prepare(set, now);
  desk_.Prepare(set);
  set.WakeAt(reports_due_);
}

void Supervisor::Serve(const PollSet& set, Instant now) {
  if (set.IsReady(signals_)) TakeSignals(now);
  ListenToWorkers(set, now);
  client_listener_.Serve(set, now,
                         [&](Guest& guest) { return Receive(guest, now); });
  desk_.Serve(set, now);
  AnswerStatus(now);
  socket_closer_.CloseRest();
  CheckHealth(set, now);
  TellSystemd();
}

void Supervisor::TakeSignals(Instant now) {
  signalfd_siginfo signal{};
  while (::read(signals_, &signal, sizeof(signal)) == sizeof(signal)) {
    if (signal.ssi_signo == SIGHUP) {
      Reload(now);
    } else {
      Stop(now);
    }
  }
}

void Supervisor::Configure(Instant now) {
  const DaemonConfig& config = setup_.config;
  log_.SetLevel(config.log_level);
  admission_.SetLimits(
      {config.max_connections, config.max_connections_per_user});
  health_.SetInterval(HealthInterval(config));
  // Drains for as long as idle pages are kept.
  worker_pool_.SetKinds(
      KindsOf(config, setup_.worker_folder, setup_.worker_user),
      std::chrono::seconds(config.page_idle + config.stop_timeout), now);
}

void Supervisor::Reload(Instant now) {
  if (is_stopping_) return;
  const auto since_boot = std::chrono::duration_cast<std::chrono::microseconds>(
      now.time_since_epoch());
  ::sd_notify(
      0, ("RELOADING=1\nMONOTONIC_USEC=" + std::to_string(since_boot.count()))
             .c_str());
  Result<Config> config = ReadConfig(setup_.config_path);
  if (!config.ok()) {
    log_.Error("keeping the old configuration: " + config.error().message);
  } else if (setup_.has_file && !config->is_said) {
    log_.Warning("keeping the old configuration: " + setup_.config_path +
                 " has been removed");
  } else {
    if (NeedsRestart(setup_.config, config->daemon)) {
      log_.Warning(
          "sockets, users and group change only when the daemon starts");
    }
    setup_.has_file = config->is_said;
    setup_.config = std::move(config->daemon);
    Configure(now);
    log_.Info("reloaded the configuration");
  }
  if (is_ready_) ::sd_notify(0, "READY=1");
}

void Supervisor::Stop(Instant now) {
  if (std::exchange(is_stopping_, true)) {
    worker_pool_.KillAll();
    return;
  }
  const std::chrono::seconds patience(setup_.config.stop_timeout);
  // Tells systemd how long this may take, regardless of TimeoutStopSec.
  const std::chrono::microseconds until_end = patience + kTimeToEnd;
  ::sd_notify(0, ("STOPPING=1\nEXTEND_TIMEOUT_USEC=" +
                  std::to_string(until_end.count()))
                     .c_str());
  log_.Info("stopping once the open pages are finished");
  health_.Stop();
  client_listener_.Close();
  worker_pool_.Stop(now + patience);
}

void Supervisor::ListenToWorkers(const PollSet& set, Instant now) {
  const WorkerPool::News news = worker_pool_.Serve(set, now);
  for (const WorkerPool::Word& word : news.words) HandleWord(word);
  for (const uint32_t worker : news.ended) {
    const auto death =
        std::ranges::find(news.deaths, worker, &WorkerPool::Death::worker);
    HandleEnd(worker, death == news.deaths.end() ? nullptr : &*death, now);
  }
}

void Supervisor::HandleWord(const WorkerPool::Word& word) {
  if (std::holds_alternative<Ready>(word.message)) {
    health_.Add(word.worker);
  } else if (const auto* adopted = std::get_if<Adopted>(&word.message)) {
    const Connection* connection =
        connection_table_.MarkAdopted(word.worker, *adopted);
    if (connection && connection->is_own) health_.OnAdopted(word.worker);
  } else if (const auto* report = std::get_if<Report>(&word.message)) {
    connection_table_.Update(word.worker, *report);
  } else if (const auto* closed = std::get_if<Closed>(&word.message)) {
    const std::optional<Connection> connection =
        connection_table_.Close(word.worker, *closed);
    if (!connection || connection->is_own) return;
    const std::string line =
        "connection " + std::to_string(closed->connection) + " has ended" +
        (closed->reason.empty() ? "" : ": " + closed->reason);
    if (closed->counters.protocol_errors > 0) {
      log_.Warning(line, connection->subject());
    } else {
      log_.Debug(line, connection->subject());
    }
  }
}

void Supervisor::HandleEnd(uint32_t worker, const WorkerPool::Death* death,
                           Instant now) {
  std::set<JobKey> served = connection_table_.CloseAllOf(
      worker, death ? death->board.get() : nullptr);
  if (!death) return;
  // Otherwise jobs are not to blame: none makes a device compute wrong bits or
  // disappear, and many together make a worker late.
  if (death->cause == Dying::Cause::kFault) {
    for (const JobKey& job : served) {
      log_.Warning("a worker died while working for this job",
                   LogSubject{job.job, {}, job.uid});
    }
    ledger_.Charge(death->kind, std::move(served), now);
  }
  worker_pool_.StartAgain(*death, ledger_.IsSuspect(death->kind, now), now);
}

std::vector<Candidate> Supervisor::CandidatesFor(const Guest& guest) const {
  std::vector<Candidate> candidates;
  for (const WorkerProcess* worker : worker_pool_.Ready()) {
    const size_t connections = connection_table_.CountOf(worker->number());
    const uint32_t pages = worker->ready().pages;
    candidates.push_back(
        {.number = worker->number(),
         .priority = worker_pool_.kinds()[worker->kind()].how.priority,
         .connections = connections,
         .is_slow = worker->is_slow() || (pages > 0 && connections >= pages),
         .serves = worker->ready().Serves(guest.hello.recipe_kind)});
  }
  return candidates;
}

Reception Supervisor::Receive(Guest& guest, Instant now) {
  const JobKey job{guest.peer.uid, guest.hello.job};
  if (!guest.is_own && ledger_.IsBanned(job, now)) {
    return {.refusal = Refusal::kBannedJob};
  }
  const uint32_t number =
      ChooseWorker(CandidatesFor(guest), guest.hello.wanted_worker,
                   guest.hello.avoided_worker);
  if (number == 0) {
    // A client that avoids a worker may have seen it die.
    const bool may_be_dead = worker_pool_.Find(guest.hello.avoided_worker) &&
                             now < guest.since + ClientListener::kNewsDelay;
    const bool may_come = guest.hello.wanted_worker == 0 &&
                          (worker_pool_.IsGrowing(now) || may_be_dead);
    if (may_come) return {};
    return {.refusal = Refusal::kNoWorker};
  }
  return GiveTo(*worker_pool_.Find(number), guest, now);
}

Reception Supervisor::GiveTo(WorkerProcess& worker, Guest& guest, Instant now) {
  const uint32_t number = worker.number();
  const Result<void> adopted =
      worker.Adopt({connection_table_.next_number(), guest.peer, guest.hello,
                    connection_table_.next_place()},
                   guest.socket.get());
  if (!adopted.ok()) {
    log_.Warning(adopted.error().message, guest.subject());
    return {.refusal = Refusal::kNoWorker};
  }
  if (guest.hello.avoided_worker != 0) ++fail_overs_;
  if (guest.is_own) {
    health_.OnSent(number);
  } else {
    waits_.Add(now - guest.since);
    log_.Debug("connection " + std::to_string(connection_table_.next_number()) +
                   " goes to worker " + std::to_string(number),
               guest.subject());
  }
  connection_table_.Add({.worker = number,
                         .engine = worker.ready().engine,
                         .peer = guest.peer,
                         .hello = std::move(guest.hello),
                         .seat = std::move(guest.seat),
                         .since = now,
                         .is_own = guest.is_own});
  // Then the client sees the connection end when its worker dies.
  guest.socket.Close();
  return {.is_taken = true};
}

bool Supervisor::MakeRoom(Refusal refusal, uid_t uid, Instant now) {
  std::optional<uid_t> of_user;
  if (refusal == Refusal::kConnectionsOfUser) {
    of_user = uid;
  } else if (refusal != Refusal::kConnections) {
    return false;
  }
  const uint64_t idlest = connection_table_.FindIdlest(
      of_user, now - kLeastIdle, [this](uint32_t worker) -> const Board* {
        const WorkerProcess* process = worker_pool_.Find(worker);
        return process ? process->board().get() : nullptr;
      });
  if (idlest == 0) return false;
  const Connection& connection = connection_table_.connections().at(idlest);
  if (!worker_pool_.Find(connection.worker)->Dismiss(idlest).ok()) return false;
  log_.Debug("connection " + std::to_string(idlest) + " makes room",
             connection.subject());
  connection_table_.Dismiss(idlest);
  ++dismissed_;
  return true;
}

void Supervisor::AnswerStatus(Instant now) {
  if (!desk_.IsAsked()) {
    reports_due_ = kNever;
    return;
  }
  if (reports_due_ == kNever) {
    worker_pool_.AskForReports();
    reports_due_ = now + kTimeToReport;
  }
  if (worker_pool_.OwesReports() && now < reports_due_) return;
  desk_.Answer(Describe(now));
  reports_due_ = kNever;
}

void Supervisor::CheckHealth(const PollSet& set, Instant now) {
  const std::optional<HealthCheck::Finding> finding =
      health_.Serve(set, worker_pool_, now);
  if (!finding) return;
  WorkerProcess& worker = *worker_pool_.Find(finding->worker);
  worker.NoteCheck(finding->took);
  if (finding->verdict == HealthCheck::Verdict::kWell) {
    ::sd_notify(0, "WATCHDOG=1");
    return;
  }
  if (finding->verdict == HealthCheck::Verdict::kSick) {
    worker.Kill(
        "its health check failed: " + finding->why,
        finding->is_wrong ? Dying::Cause::kWrongBits : Dying::Cause::kLate);
  } else {
    log_.Warning("cannot check the health of worker " +
                 std::to_string(finding->worker) + ": " + finding->why);
  }
}

void Supervisor::TellSystemd() {
  const size_t ready = worker_pool_.Ready().size();
  if (ready > 0 && !std::exchange(is_ready_, true)) ::sd_notify(0, "READY=1");
  std::string status =
      "STATUS=" + (is_stopping_ ? std::string("Finishing open pages")
                                : std::to_string(admission_.connections()) +
                                      " connections, " + std::to_string(ready) +
                                      (ready == 1 ? " worker" : " workers"));
  if (status == told_) return;
  ::sd_notify(0, status.c_str());
  told_ = std::move(status);
}

}  // namespace halftoned::daemon
