// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The workers: one of each kind, started again when it dies, replaced when its
// kind changes. Knows nothing of clients.

#ifndef HALFTONED_DAEMON_SUPERVISOR_CREW_H_
#define HALFTONED_DAEMON_SUPERVISOR_CREW_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/log.h"
#include "daemon/clock.h"
#include "daemon/supervisor/backoff.h"
#include "daemon/supervisor/poll_set.h"
#include "daemon/supervisor/worker_process.h"

namespace halftoned::daemon {

class Crew {
 public:
  // What a worker has said.
  struct Word {
    uint32_t worker;
    FromWorker message;
  };
  // A worker has ended, and was not told to.
  struct Death {
    uint32_t worker;
    size_t kind;
    Dying::Cause cause;
    std::string reason;
  };
  struct News {
    std::vector<Word> words;
    std::vector<uint32_t> ended;  // all who have ended, as they should or not
    std::vector<Death> deaths;    // those of them who should not have
  };

  explicit Crew(Log& log) : log_(log) {}

  // These kinds from now on: a worker of a kind that has changed serves until
  // its successor is ready, and then drains for at most `drain`; so does at
  // once one whose kind is gone. A kind keeps its index; what was kept out gets
  // another chance.
  void SetKinds(std::vector<WorkerKind> kinds, Duration drain, Instant now);

  // Starts whoever is due.
  void Prepare(PollSet& set, Instant now);
  News Serve(const PollSet& set, Instant now);
  // After a death: when the next worker of this kind may start. A suspect kind
  // waits longer; one whose device computes wrongly is kept out.
  void StartAgain(const Death& death, bool is_suspect, Instant now);

  // No others are started; those that are there have until `deadline`.
  void Stop(Instant deadline);
  void KillAll();

  WorkerProcess* Find(uint32_t number);
  // Whoever may take connections.
  std::vector<const WorkerProcess*> Ready() const;
  // Whether somebody more may take connections soon, if all goes well.
  bool IsGrowing(Instant now) const;
  bool OwesReports() const;
  void AskForReports();

  struct Kind {
    WorkerKind how;
    Backoff backoff;
    Instant start_at = kNever;  // kNever: it is there
    Instant ready_since = kNever;
    uint32_t current = 0;  // the number of the newest; 0: none
    uint64_t deaths = 0;
    bool is_wanted = true;
    // Why its device is kept out, or is not there; empty: it is neither.
    std::string kept_out, absent;
  };
  const std::vector<Kind>& kinds() const { return kinds_; }
  const std::vector<std::unique_ptr<WorkerProcess>>& workers() const {
    return workers_;
  }

 private:
  void Start(size_t index, Instant now);
  void Retire(size_t index, Instant now);
  void OnReady(const WorkerProcess& worker, Instant now);
  void OnEnd(const WorkerProcess& worker, const std::string& end, News& news);

  Log& log_;
  std::vector<Kind> kinds_;
  std::vector<std::unique_ptr<WorkerProcess>> workers_;
  uint32_t last_number_ = 0;
  Duration drain_{};
  bool is_stopping_ = false;
};

}  // namespace halftoned::daemon

#endif  // HALFTONED_DAEMON_SUPERVISOR_CREW_H_
