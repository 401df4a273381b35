// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What jobs hold of a worker: one account a job, for the worker's memory and
// that of its device. A client is charged for what the worker holds for it:
//
//   page     lines and carries of an open page; its bands, without a ring
//   ring     its page tables; all of it while it is pinned for a device
//   queues   parts of frames that have arrived, and frames not sent yet
//   device   memory of the device for a page
//
// Half of a resource is dealt out in shares, one for each job that may come.
// The other half is common: a job may have more than its share while it leaves
// as much of that half as it takes. So newcomers always find a share, and
// usually more. Time is no matter of accounts: jobs take turns (turns.h).

#ifndef HALFTONED_DAEMON_WORKER_ACCOUNTS_H_
#define HALFTONED_DAEMON_WORKER_ACCOUNTS_H_

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "base/result.h"
#include "control/job_key.h"

namespace halftoned::daemon {

// Thread-safe. It outlives its charges.
class Accounts {
 public:
  struct Bytes {
    size_t memory = 0;
    size_t device = 0;

    friend bool operator==(const Bytes&, const Bytes&) = default;
  };
  struct Limits {
    Bytes all{.memory = size_t{1} << 30, .device = size_t{4} << 30};
    int jobs = 512;  // at a time; at least 1
  };

  // Of one job.
  class Account;
  using Job = std::shared_ptr<Account>;

  // Something that a job holds, nothing at first; the destructor gives it back.
  class Charge {
   public:
    Charge() = default;  // never holds anything
    explicit Charge(Job job) : job_(std::move(job)) {}
    ~Charge() { (void)Set({}); }
    Charge(const Charge&) = delete;
    Charge& operator=(const Charge&) = delete;

    // False, and nothing changes, if the job may not have as much. It may
    // always have less.
    bool Set(Bytes held);

   private:
    const Job job_;
    Bytes held_;
  };

  // For a client whose job may not have more.
  static Error Refusal() {
    return Unavailable("this job may not hold more of the worker's memory");
  }

  // Before the first charge.
  void SetLimits(const Limits& limits) { limits_ = limits; }

  // The account of a job; clients without a job have one each.
  Job Find(const JobKey& job);

  Bytes held();

 private:
  // A resource, and what is held of it.
  struct Stock {
    size_t held = 0;
    size_t beyond_shares = 0;
  };

  bool Change(Account& account, Bytes from, Bytes to);
  // Whether a job may have `to` instead of `from`.
  bool MayHold(const Stock& stock, size_t limit, size_t from, size_t to) const;
  void Note(Stock& stock, size_t limit, size_t from, size_t to) const;
  size_t BeyondShare(size_t limit, size_t held) const;

  Limits limits_;
  std::mutex mutex_;
  Stock memory_, device_;
  std::map<JobKey, std::weak_ptr<Account>> jobs_;
};

class Accounts::Account {
 public:
  Account(Accounts& accounts, const JobKey& key)
      : accounts_(accounts), key_(key) {}

  const JobKey& key() const { return key_; }

 private:
  friend class Accounts;

  Accounts& accounts_;
  const JobKey key_;
  Bytes held_;  // guarded by the mutex of the accounts
};

}  // namespace halftoned::daemon

#endif  // HALFTONED_DAEMON_WORKER_ACCOUNTS_H_
