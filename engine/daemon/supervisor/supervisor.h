// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// halftoned's own loop: clients come in at the door, workers take them, others
// ask for the status, signals come. No pixel passes here.

#ifndef HALFTONED_DAEMON_SUPERVISOR_SUPERVISOR_H_
#define HALFTONED_DAEMON_SUPERVISOR_SUPERVISOR_H_

#include <cstdint>
#include <string>
#include <vector>

#include "base/log.h"
#include "base/result.h"
#include "config/config.h"
#include "daemon/clock.h"
#include "daemon/supervisor/admission.h"
#include "daemon/supervisor/canary.h"
#include "daemon/supervisor/crew.h"
#include "daemon/supervisor/door.h"
#include "daemon/supervisor/health.h"
#include "daemon/supervisor/ledger.h"
#include "daemon/supervisor/listeners.h"
#include "daemon/supervisor/roster.h"
#include "daemon/supervisor/status_desk.h"

namespace halftoned::daemon {

class Supervisor {
 public:
  struct Setup {
    std::string config_path;    // to be read again
    bool has_file = false;      // that it was read from
    std::string worker_folder;  // of their executables
    DaemonConfig config;        // as read first
  };

  // signals: a signalfd(2) of SIGTERM, SIGINT and SIGHUP. What it is given
  // outlives it.
  Supervisor(Setup setup, Listeners& listeners, Canary& canary, int signals,
             Log& log);

  // Until a signal has ended it, and all workers have ended.
  Result<void> Run();

 private:
  void Prepare(PollSet& set, Instant now);
  void Serve(const PollSet& set, Instant now);
  void TakeSignals(Instant now);
  void Configure(Instant now);
  void Reload(Instant now);
  void Stop(Instant now);
  void ListenToCrew(const PollSet& set, Instant now);
  void HandleWord(const Crew::Word& word);
  void HandleEnd(uint32_t worker, const Crew::Death* death, Instant now);
  Reception Receive(Guest& guest, Instant now);
  void AnswerStatus(Instant now);
  void CheckHealth(const PollSet& set, Instant now);
  Snapshot Describe(Instant now) const;
  void TellSystemd();

  Setup setup_;
  Log& log_;
  const int signals_;
  const Instant started_ = Clock::now();
  Ledger ledger_;
  Admission admission_;
  Roster roster_;  // has seats of `admission_`
  Crew crew_;
  Door door_;
  StatusDesk desk_;
  Health health_;
  Instant reports_due_ = kNever;  // kNever: nobody has been asked
  uint64_t fail_overs_ = 0;       // clients taken who avoided a worker
  bool is_ready_ = false;
  bool is_stopping_ = false;
  std::string told_;  // to systemd
};

}  // namespace halftoned::daemon

#endif  // HALFTONED_DAEMON_SUPERVISOR_SUPERVISOR_H_
