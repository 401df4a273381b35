// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/worker/clients/accounts.h"

namespace halftoned::daemon {

bool Accounts::Charge::Set(Bytes held) {
  if (held == held_) return true;
  if (!owner_) return false;
  if (!owner_->accounts_.Change(*owner_, held_, held)) return false;
  held_ = held;
  return true;
}

Accounts::Owner Accounts::Open(const JobKey& key) {
  auto job = std::make_shared<Job>();
  if (key.job != 0) {
    const std::lock_guard lock(mutex_);
    std::erase_if(jobs_,
                  [](const auto& each) { return each.second.expired(); });
    std::weak_ptr<Job>& known = jobs_[key];
    if (auto found = known.lock()) {
      job = std::move(found);
    } else {
      known = job;
    }
  }
  return std::make_shared<Account>(*this, key, std::move(job));
}

Accounts::Bytes Accounts::held() {
  const std::lock_guard lock(mutex_);
  return {memory_.held, device_.held};
}

bool Accounts::Change(Account& account, Bytes from, Bytes to) {
  const std::lock_guard lock(mutex_);
  const Bytes now = account.held_;
  const Bytes then{now.memory - from.memory + to.memory,
                   now.device - from.device + to.device};
  if (!MayHold(memory_, account, then) || !MayHold(device_, account, then)) {
    return false;
  }
  Note(memory_, account, then);
  Note(device_, account, then);
  account.held_ = then;
  return true;
}

size_t Accounts::BeyondShare(const Stock& stock, Bytes held) const {
  const size_t share =
      limits_.all.*stock.of / 2 / static_cast<size_t>(limits_.connections);
  return held.*stock.of > share ? held.*stock.of - share : 0;
}

bool Accounts::MayHold(const Stock& stock, const Account& account,
                       Bytes to) const {
  const size_t limit = limits_.all.*stock.of;
  const size_t now = account.held_.*stock.of;
  const size_t then = to.*stock.of;
  if (then <= now) return true;
  if (then > limit || stock.held - now > limit - then) return false;
  const size_t beyond = BeyondShare(stock, to);
  if (beyond == 0) return true;
  const size_t of_job = account.job_->beyond.*stock.of;
  const size_t of_others = stock.beyond_shares - of_job;
  return of_others +
             2 * (of_job - BeyondShare(stock, account.held_) + beyond) <=
         limit / 2;
}

void Accounts::Note(Stock& stock, Account& account, Bytes to) const {
  stock.held += to.*stock.of - account.held_.*stock.of;
  const size_t more =
      BeyondShare(stock, to) - BeyondShare(stock, account.held_);
  stock.beyond_shares += more;
  account.job_->beyond.*stock.of += more;
}

}  // namespace halftoned::daemon
