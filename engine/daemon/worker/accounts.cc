// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/worker/accounts.h"

namespace halftoned::daemon {

bool Accounts::Charge::Set(Bytes held) {
  if (held == held_) return true;
  if (!job_) return false;
  if (!job_->accounts_.Change(*job_, held_, held)) return false;
  held_ = held;
  return true;
}

Accounts::Job Accounts::Find(const JobKey& job) {
  if (job.job == 0) return std::make_shared<Account>(*this, job);
  const std::lock_guard lock(mutex_);
  std::erase_if(jobs_, [](const auto& each) { return each.second.expired(); });
  std::weak_ptr<Account>& known = jobs_[job];
  Job account = known.lock();
  if (!account) {
    account = std::make_shared<Account>(*this, job);
    known = account;
  }
  return account;
}

Accounts::Bytes Accounts::held() {
  const std::lock_guard lock(mutex_);
  return {memory_.held, device_.held};
}

bool Accounts::Change(Account& account, Bytes from, Bytes to) {
  const std::lock_guard lock(mutex_);
  const Bytes& all = limits_.all;
  const Bytes now = account.held_;
  const Bytes then{now.memory - from.memory + to.memory,
                   now.device - from.device + to.device};
  if (!MayHold(memory_, all.memory, now.memory, then.memory) ||
      !MayHold(device_, all.device, now.device, then.device)) {
    return false;
  }
  Note(memory_, all.memory, now.memory, then.memory);
  Note(device_, all.device, now.device, then.device);
  account.held_ = then;
  return true;
}

size_t Accounts::BeyondShare(size_t limit, size_t held) const {
  const size_t share = limit / 2 / static_cast<size_t>(limits_.jobs);
  return held > share ? held - share : 0;
}

bool Accounts::MayHold(const Stock& stock, size_t limit, size_t from,
                       size_t to) const {
  if (to <= from) return true;
  if (to > limit || stock.held - from > limit - to) return false;
  const size_t beyond = BeyondShare(limit, to);
  const size_t others = stock.beyond_shares - BeyondShare(limit, from);
  return beyond == 0 || others + 2 * beyond <= limit / 2;
}

void Accounts::Note(Stock& stock, size_t limit, size_t from, size_t to) const {
  stock.held += to - from;
  stock.beyond_shares += BeyondShare(limit, to) - BeyondShare(limit, from);
}

}  // namespace halftoned::daemon
