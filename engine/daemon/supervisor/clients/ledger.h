// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records which jobs a worker was working for when it died. A death is charged
// to all of these jobs, and a job that is charged twice is refused. Clients
// without a job are not charged, and neither are users, because CUPS runs the
// filters of all users as one user. Deaths that no such job explains are
// charged to the worker's kind. Deaths older than kWindow are forgotten. No
// clock of its own.

#pragma once

#include <cstddef>
#include <deque>
#include <set>

#include "control/job_key.h"
#include "daemon/clock.h"

namespace halftoned::daemon {

class Ledger {
 public:
  static constexpr Duration kWindow = std::chrono::minutes(10);
  static constexpr int kDeathsOfJob = 2;
  static constexpr int kDeathsOfKind = 3;

  // A worker of the kind with this index has died working for these jobs.
  void Charge(size_t kind, std::set<JobKey> served, Instant now);

  bool IsBanned(const JobKey& job, Instant now) const;
  // Whether it has died working for several jobs without an earlier death.
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
