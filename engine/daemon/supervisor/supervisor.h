// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The main loop of halftoned: accepts clients, hands them to workers, answers
// status requests, handles signals. Touches no pixels.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/log.h"
#include "base/result.h"
#include "config/config.h"
#include "daemon/clock.h"
#include "daemon/confine/confine.h"
#include "daemon/supervisor/clients/client_listener.h"
#include "daemon/supervisor/clients/connection_limits.h"
#include "daemon/supervisor/clients/connection_table.h"
#include "daemon/supervisor/clients/ledger.h"
#include "daemon/supervisor/daemon_sockets.h"
#include "daemon/supervisor/status/status_desk.h"
#include "daemon/supervisor/workers/canary.h"
#include "daemon/supervisor/workers/choice.h"
#include "daemon/supervisor/workers/health_check.h"
#include "daemon/supervisor/workers/worker_pool.h"

namespace halftoned::daemon {

class Supervisor {
 public:
  struct Setup {
    std::string config_path;    // to reload
    bool has_file = false;      // the file existed at the start
    std::string worker_folder;  // the folder of the workers' executables
    DaemonConfig config;        // as read at the start
    std::optional<WorkerUser> worker_user;  // if not the supervisor's
  };

  // signals: a signalfd(2) of SIGTERM, SIGINT and SIGHUP. The arguments outlive
  // it.
  Supervisor(Setup setup, Listeners& listeners, Canary& canary, int signals,
             Log& log);

  // Returns after a signal to stop, once all workers have exited.
  Result<void> Run();

 private:
  void Prepare(PollSet& set, Instant now);
  void Serve(const PollSet& set, Instant now);
  void TakeSignals(Instant now);
  void Configure(Instant now);
  void Reload(Instant now);
  void Stop(Instant now);
  void ListenToWorkers(const PollSet& set, Instant now);
  void HandleWord(const WorkerPool::Word& word);
  void HandleEnd(uint32_t worker, const WorkerPool::Death* death, Instant now);
  std::vector<Candidate> CandidatesFor(const Guest& guest) const;
  Reception Receive(Guest& guest, Instant now);
  Reception GiveTo(WorkerProcess& worker, Guest& guest, Instant now);
  // Dismisses the idlest connection if this gives a refused user a place.
  bool MakeRoom(Refusal refusal, uid_t uid, Instant now);
  void AnswerStatus(Instant now);
  void CheckHealth(const PollSet& set, Instant now);
  Snapshot Describe(Instant now) const;
  void TellSystemd();

  Setup setup_;
  Log& log_;
  const int signals_;
  const Instant started_ = Clock::now();
  Ledger ledger_;
  SocketCloser socket_closer_;
  Admission admission_;
  ConnectionTable connection_table_;  // holds seats of `admission_`
  WorkerPool worker_pool_;
  ClientListener client_listener_;
  StatusDesk desk_;
  HealthCheck health_;
  Instant reports_due_ = kNever;  // kNever: no worker has been asked
  uint64_t fail_overs_ = 0;       // clients that avoided a worker
  Latencies waits_;               // of clients, for a worker
  uint64_t dismissed_ = 0;        // idle connections ended for others
  bool is_ready_ = false;
  bool is_stopping_ = false;
  std::string told_;  // the last status sent to systemd
};

}  // namespace halftoned::daemon
