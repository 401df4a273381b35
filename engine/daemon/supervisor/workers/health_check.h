// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks whether workers work: each new worker when it is ready, and all ready
// workers in rounds, one worker at a time. The worker makes the health page
// with each of the page's recipes that it serves.

#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "base/result.h"
#include "daemon/clock.h"
#include "daemon/supervisor/poll_set.h"
#include "daemon/supervisor/workers/canary.h"
#include "daemon/supervisor/workers/worker_pool.h"

namespace halftoned::daemon {

class HealthCheck {
 public:
  enum class Verdict {
    kWell,
    kUnreached,  // not the worker's fault
    kLate,       // for the first time: it may have very many pages
    kSick,
  };
  struct Finding {
    uint32_t worker;
    Verdict verdict;
    std::string why;        // unless it is well
    bool is_wrong = false;  // a bit was wrong
    Duration took{};
  };

  // socket: the one that clients use. The canary outlives it.
  HealthCheck(Canary& canary, std::string socket)
      : canary_(canary), socket_(std::move(socket)) {}

  // Sets the time from the start of one round to the next, which also limits
  // the time for a check.
  void SetInterval(Duration interval) { interval_ = interval; }
  // Checks a new worker without waiting for the next round.
  void Add(uint32_t worker) { round_.push_back(worker); }
  // Starts no more checks.
  void Stop() { is_stopped_ = true; }

  // Starts the check that is due.
  void Prepare(PollSet& set, const WorkerPool& workers, Instant now);
  // The result of a finished check, if its worker is still ready.
  std::optional<Finding> Serve(const PollSet& set, const WorkerPool& workers,
                               Instant now);

  // Call these when the connection of a check was sent to a worker, and when
  // the worker confirms it. A worker without free descriptors cannot receive
  // it.
  void OnSent(uint32_t worker);
  void OnAdopted(uint32_t worker);

  // How many checks have ended, and how many of them failed.
  uint64_t checks() const { return checks_; }
  uint64_t failures() const { return failures_; }

 private:
  void Begin(const WorkerProcess& worker, Instant now);
  bool IsReached(const Result<void>& result, Duration took) const;
  Verdict Judge(uint32_t worker, const Result<void>& result, Duration took);

  Canary& canary_;
  std::string socket_;
  Duration interval_ = std::chrono::seconds(10);
  Instant next_round_ = Instant::min();
  std::deque<uint32_t> round_;  // workers still to be checked
  uint32_t checked_ = 0;        // worker being checked; 0: none
  Instant begun_;
  Duration patience_{};
  bool is_sent_ = false;
  bool is_adopted_ = false;
  uint32_t late_ = 0;  // worker that was late in its last check; 0: none
  bool is_stopped_ = false;
  uint64_t checks_ = 0;
  uint64_t failures_ = 0;
};

}  // namespace halftoned::daemon
