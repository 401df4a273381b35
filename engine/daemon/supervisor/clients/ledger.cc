// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/supervisor/clients/ledger.h"

#include <algorithm>
#include <utility>

namespace halftoned::daemon {

template <typename Predicate>
int Ledger::Count(Instant now, const Predicate& counts) const {
  return static_cast<int>(
      std::ranges::count_if(deaths_, [&](const Death& death) {
        return now - death.when < kWindow && counts(death);
      }));
}

int Ledger::DeathsOf(const JobKey& job, Instant now) const {
  if (job.job == 0) return 0;
  return Count(now,
               [&](const Death& death) { return death.served.contains(job); });
}

void Ledger::Charge(size_t kind, std::set<JobKey> served, Instant now) {
  while (!deaths_.empty() && now - deaths_.front().when >= kWindow) {
    deaths_.pop_front();
  }
  const bool is_explained = std::ranges::any_of(
      served, [&](const JobKey& job) { return DeathsOf(job, now) > 0; });
  deaths_.push_back({now, kind, std::move(served), is_explained});
}

bool Ledger::IsBanned(const JobKey& job, Instant now) const {
  return DeathsOf(job, now) >= kDeathsOfJob;
}

bool Ledger::IsSuspect(size_t kind, Instant now) const {
  return Count(now, [&](const Death& death) {
           return death.kind == kind && !death.is_explained;
         }) >= kDeathsOfKind;
}

}  // namespace halftoned::daemon
