// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One worker process, as the supervisor sees it.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "control/board.h"
#include "control/control.h"
#include "daemon/clock.h"
#include "daemon/confine/confine.h"
#include "daemon/supervisor/poll_set.h"
#include "daemon/supervisor/workers/worker_child.h"

namespace halftoned::daemon {

// How to start workers of a kind. There is one worker of each kind.
struct WorkerKind {
  std::string name;        // for logs and the status
  std::string executable;  // a path
  std::vector<std::string> arguments;
  int priority = 0;         // the higher is preferred
  bool has_device = false;  // a device is kept out if its bits are wrong
  std::optional<WorkerUser> user = std::nullopt;  // if not the supervisor's

  friend bool operator==(const WorkerKind&, const WorkerKind&) = default;
};

class WorkerProcess {
 public:
  enum class State {
    kStarting,
    kReady,
    kDraining,  // finishes its open pages
    kEnding,    // exiting, or killed
  };

  // kind: an index, which this class only stores.
  static Result<WorkerProcess> Start(uint32_t number, size_t kind,
                                     const WorkerKind& how, Instant now);

  uint32_t number() const { return number_; }
  size_t kind() const { return kind_; }
  pid_t pid() const { return child_.pid(); }
  State state() const { return state_; }
  const Ready& ready() const { return ready_; }  // from kReady on
  Instant started() const { return started_; }
  bool is_drained() const { return is_drained_; }  // told to end
  bool owes_report() const { return owes_report_; }
  // The connections that it works for; null: unknown.
  std::shared_ptr<const Board> board() const { return board_; }
  // Its last report, without connections.
  const Report& report() const { return report_; }
  // Why it ends, if it is known.
  Dying::Cause cause() const { return dying_.cause; }
  const std::string& reason() const {
    return reason_.empty() ? dying_.reason : reason_;
  }

  // Notes how long its last health check took.
  void NoteCheck(Duration took);
  // Whether other workers should be preferred: its last checks were all slow.
  bool is_slow() const { return slow_checks_ > 1; }

  Result<void> Adopt(const daemon::Adopt& adopt, int fd) {
    return control_.Send(adopt, fd);
  }
  Result<void> Dismiss(uint64_t connection) {
    return control_.Send(daemon::Dismiss{connection});
  }
  // Asks for a report.
  void Ask();
  // Tells the worker to finish by `deadline`.
  void Drain(Instant deadline);
  // reason: for the log.
  void Kill(std::string reason, Dying::Cause cause = Dying::Cause::kFault);

  void Prepare(PollSet& set) const;
  // Appends the worker's messages to `said`. Kills it if they are invalid or
  // late. Returns how it ended, once it has.
  std::optional<std::string> Serve(const PollSet& set, Instant now,
                                   std::vector<FromWorker>& said);

 private:
  WorkerProcess(uint32_t number, size_t kind, Child child, Control control,
                Instant now);

  void Take(const FromWorker& message);
  void Listen(Instant now, std::vector<FromWorker>& said);

  uint32_t number_;
  size_t kind_;
  Child child_;
  Control control_;
  std::shared_ptr<const Board> board_;
  State state_ = State::kStarting;
  Ready ready_;
  Instant started_;
  Instant deadline_;  // of this state; the worker is killed after it
  bool is_drained_ = false;
  bool owes_report_ = false;
  bool is_asked_ = false;  // the channel had room for the request
  Report report_;
  int slow_checks_ = 0;  // in a row
  std::string reason_;   // why the supervisor killed it
  Dying dying_;          // its last message; a kill also sets the cause
};

}  // namespace halftoned::daemon
