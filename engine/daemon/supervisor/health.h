// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether workers work: in rounds, each that is ready makes a page, one after
// the other.

#ifndef HALFTONED_DAEMON_SUPERVISOR_HEALTH_H_
#define HALFTONED_DAEMON_SUPERVISOR_HEALTH_H_

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "base/result.h"
#include "daemon/clock.h"
#include "daemon/supervisor/canary.h"
#include "daemon/supervisor/crew.h"
#include "daemon/supervisor/poll_set.h"

namespace halftoned::daemon {

class Health {
 public:
  enum class Verdict {
    kWell,
    kUnreached,  // which is not the worker's fault
    kLate,       // once: it may be the fault of a great many pages
    kSick,
  };
  struct Finding {
    uint32_t worker;
    Verdict verdict;
    std::string why;        // if it is not well
    bool is_wrong = false;  // a bit was
    Duration took{};
  };

  // socket: the one that clients use. What it is given outlives it.
  Health(Canary& canary, std::string socket)
      : canary_(canary), socket_(std::move(socket)) {}

  // Between the beginnings of two rounds, and for a page to come.
  void SetInterval(Duration interval) { interval_ = interval; }
  // A worker is new: the next round begins at once.
  void Hurry() { next_round_ = Instant::min(); }
  // No other checks begin.
  void Stop() { is_stopped_ = true; }

  // Begins the check that is due.
  void Prepare(PollSet& set, const Crew& crew, Instant now);
  // Of a worker that is ready still.
  std::optional<Finding> Serve(const PollSet& set, const Crew& crew,
                               Instant now);

  // A worker has taken over the connection of a check.
  void OnAdopted(uint32_t worker);

  uint64_t checks() const { return checks_; }
  uint64_t failures() const { return failures_; }

 private:
  void Begin(uint32_t worker, Instant now);
  Verdict Judge(uint32_t worker, const Result<void>& result);

  Canary& canary_;
  std::string socket_;
  Duration interval_ = std::chrono::seconds(10);
  Instant next_round_ = Instant::min();
  std::deque<uint32_t> round_;  // who has yet to be checked
  uint32_t checked_ = 0;        // who is being checked; 0: nobody
  Instant begun_;
  bool is_reached_ = false;
  uint32_t late_ = 0;  // who was late when he was checked last; 0: nobody
  bool is_stopped_ = false;
  uint64_t checks_ = 0;
  uint64_t failures_ = 0;
};

}  // namespace halftoned::daemon

#endif  // HALFTONED_DAEMON_SUPERVISOR_HEALTH_H_
