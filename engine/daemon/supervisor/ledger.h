// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who was there when a worker died. A death is charged to every job that the
// worker was serving; a job that is charged twice must do without us, and so
// must a user with whom alone workers keep dying. Deaths that no job explains
// are charged to the worker's kind itself. What is older than kWindow is
// forgotten. No clock of its own.

#ifndef HALFTONED_DAEMON_SUPERVISOR_LEDGER_H_
#define HALFTONED_DAEMON_SUPERVISOR_LEDGER_H_

#include <sys/types.h>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <set>

#include "daemon/clock.h"

namespace halftoned::daemon {

// A job as CUPS numbers it, of the user who says so: job 0 is all that he has
// printed without one.
struct JobKey {
  uid_t uid = 0;
  uint32_t job = 0;

  friend auto operator<=>(const JobKey&, const JobKey&) = default;
};

class Ledger {
 public:
  static constexpr Duration kWindow = std::chrono::minutes(10);
  static constexpr int kDeathsOfJob = 2;
  static constexpr int kDeathsOfUser = 8;
  static constexpr int kDeathsOfKind = 3;

  // A worker of the kind with this index has died while it served these jobs.
  void Charge(size_t kind, std::set<JobKey> served, Instant now);

  bool IsBanned(const JobKey& job, Instant now) const;
  // He may number his jobs as he likes: this looks at him alone.
  bool IsBannedUser(uid_t uid, Instant now) const;
  // It has died under several jobs that had no death on them.
  bool IsSuspect(size_t kind, Instant now) const;

 private:
  struct Death {
    Instant when;
    size_t kind;
    std::set<JobKey> served;
    bool is_explained;  // a job had been charged before
  };

  int DeathsOf(const JobKey& job, Instant now) const;
  template <typename Predicate>
  int Count(Instant now, const Predicate& counts) const;

  std::deque<Death> deaths_;
};

}  // namespace halftoned::daemon

#endif  // HALFTONED_DAEMON_SUPERVISOR_LEDGER_H_
