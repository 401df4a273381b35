// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One worker process, as the supervisor sees it.

#ifndef HALFTONED_DAEMON_SUPERVISOR_WORKER_PROCESS_H_
#define HALFTONED_DAEMON_SUPERVISOR_WORKER_PROCESS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "daemon/clock.h"
#include "daemon/control.h"
#include "daemon/supervisor/child.h"
#include "daemon/supervisor/poll_set.h"

namespace halftoned::daemon {

// How workers of a kind are started. There is one of each kind.
struct WorkerKind {
  std::string name;        // for people
  std::string executable;  // a path
  std::vector<std::string> arguments;
  int priority = 0;         // higher is taken first
  bool has_device = false;  // that is kept out when it computes wrongly

  friend bool operator==(const WorkerKind&, const WorkerKind&) = default;
};

class WorkerProcess {
 public:
  enum class State {
    kStarting,
    kReady,
    kDraining,  // finishes what it has
    kEnding,    // its end is only a matter of time
  };

  // kind: an index, which this class only keeps.
  static Result<WorkerProcess> Start(uint32_t number, size_t kind,
                                     const WorkerKind& how, Instant now);

  uint32_t number() const { return number_; }
  size_t kind() const { return kind_; }
  pid_t pid() const { return child_.pid(); }
  State state() const { return state_; }
  const Ready& ready() const { return ready_; }  // from kReady on
  Instant started() const { return started_; }
  bool is_drained() const { return is_drained_; }  // its end is no death
  bool owes_report() const { return owes_report_; }
  // As it reported last, without connections.
  const Report& report() const { return report_; }
  // Why it ends, as far as it or we know.
  Dying::Cause cause() const { return dying_.cause; }
  const std::string& reason() const {
    return reason_.empty() ? dying_.reason : reason_;
  }

  // How long its last check of health took.
  void NoteCheck(Duration took);
  // So that others should be asked first: no check of late was quick.
  bool is_slow() const { return slow_checks_ > 1; }

  Result<void> Adopt(const daemon::Adopt& adopt, int fd) {
    return control_.Send(adopt, fd);
  }
  // From now on the worker owes a report.
  void Ask();
  // The worker has until `deadline`.
  void Drain(Instant deadline);
  // reason: for the log.
  void Kill(std::string reason, Dying::Cause cause = Dying::Cause::kFault);

  void Prepare(PollSet& set) const;
  // Puts what the worker says behind `said`. Kills it if that is nonsense, or
  // too late. Afterwards, how it ended, if it has.
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
  State state_ = State::kStarting;
  Ready ready_;
  Instant started_;
  Instant deadline_;  // for the state to end; then the worker is killed
  bool is_drained_ = false;
  bool owes_report_ = false;
  bool is_asked_ = false;  // for it, as far as the channel had room
  Report report_;
  int slow_checks_ = 0;  // one after another
  std::string reason_;   // for which it was killed
  Dying dying_;          // its last words; the cause also of a kill
};

}  // namespace halftoned::daemon

#endif  // HALFTONED_DAEMON_SUPERVISOR_WORKER_PROCESS_H_
