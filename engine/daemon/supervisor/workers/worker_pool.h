// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The workers: one of each kind, restarted when it dies, replaced when its kind
// changes. Knows nothing of clients.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/log.h"
#include "daemon/clock.h"
#include "daemon/supervisor/poll_set.h"
#include "daemon/supervisor/workers/backoff.h"
#include "daemon/supervisor/workers/worker_process.h"

namespace halftoned::daemon {

class WorkerPool {
 public:
  // A message from a worker.
  struct Word {
    uint32_t worker;
    FromWorker message;
  };
  // A worker that ended without being told to.
  struct Death {
    uint32_t worker;
    size_t kind;
    Dying::Cause cause;
    std::string reason;
    std::shared_ptr<const Board> board;  // null: unknown
  };
  struct News {
    std::vector<Word> words;
    std::vector<uint32_t> ended;  // all workers that have ended
    std::vector<Death> deaths;    // those that were not told to
  };

  explicit WorkerPool(Log& log) : log_(log) {}

  // Sets the kinds. A worker whose kind has changed serves until its successor
  // is ready, and then drains for at most `drain`; a worker whose kind is gone
  // drains immediately. A kind keeps its index; a device that was kept out gets
  // another chance.
  void SetKinds(std::vector<WorkerKind> kinds, Duration drain, Instant now);

  // Starts the workers that are due.
  void Prepare(PollSet& set, Instant now);
  News Serve(const PollSet& set, Instant now);
  // Schedules the next worker of a kind after a death. A suspect kind waits
  // longer; one whose device computes wrong bits is kept out.
  void StartAgain(const Death& death, bool is_suspect, Instant now);

  // Starts no more workers, and drains the running ones until `deadline`.
  void Stop(Instant deadline);
  void KillAll();

  WorkerProcess* Find(uint32_t number);
  // Workers that accept connections.
  std::vector<const WorkerProcess*> Ready() const;
  // Whether another worker might be ready soon.
  bool IsGrowing(Instant now) const;
  bool OwesReports() const;
  void AskForReports();

  struct KindState {
    WorkerKind how;
    Backoff backoff;
    Instant start_at = kNever;  // kNever: it has been started
    Instant ready_since = kNever;
    uint32_t current = 0;  // the number of the newest; 0: none
    uint64_t deaths = 0;
    bool is_wanted = true;
    // Why its device is kept out, or missing; empty if it is not.
    std::string kept_out, absent;
  };
  const std::vector<KindState>& kinds() const { return kinds_; }
  const std::vector<std::unique_ptr<WorkerProcess>>& workers() const {
    return workers_;
  }

 private:
  void Start(size_t index, Instant now);
  void Retire(size_t index, Instant now);
  void OnReady(const WorkerProcess& worker, Instant now);
  void OnEnd(const WorkerProcess& worker, const std::string& end, News& news);

  Log& log_;
  std::vector<KindState> kinds_;
  std::vector<std::unique_ptr<WorkerProcess>> workers_;
  uint32_t last_number_ = 0;
  Duration drain_{};
  bool is_stopping_ = false;
};

}  // namespace halftoned::daemon
