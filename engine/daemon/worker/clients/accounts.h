// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts the memory of a worker and of its device that connections and their
// jobs use. A connection has an account, and is charged for the memory that the
// worker holds for it:
//
//   page     lines and carries of an open page; its bands, without a ring
//   ring     its page tables; all of it while it is pinned for a device
//   queues   parts of frames that have arrived, and frames not sent yet
//   device   memory of the device for a page
//
// Half of a resource is divided into shares, one for each possible connection.
// The other half is a common pool: beyond their shares, the connections of a
// job can use at most as much of the pool as they leave free. New connections
// therefore always get a share, and usually more, even if a job uses all that
// it can. Accounts do not limit time: users and jobs take turns (turns.h).

#pragma once

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
    int connections = 512;  // at a time; at least 1
  };

  // The account of one connection.
  class Account;
  using Owner = std::shared_ptr<Account>;

  // Something that a connection holds, nothing at first; the destructor gives
  // it back.
  class Charge {
   public:
    Charge() = default;  // never holds anything
    explicit Charge(Owner owner) : owner_(std::move(owner)) {}
    ~Charge() { (void)Set({}); }
    Charge(const Charge&) = delete;
    Charge& operator=(const Charge&) = delete;

    // False, and nothing changes, if the connection is not allowed that much.
    // A smaller amount is always allowed.
    bool Set(Bytes held);

   private:
    const Owner owner_;
    Bytes held_;
  };

  // For a client that has reached its limit.
  static Error Refusal() {
    return Unavailable("this job has reached its share of the worker's memory");
  }

  // Before the first charge.
  void SetLimits(const Limits& limits) { limits_ = limits; }

  // An account for a connection of this job. Connections without a job have
  // nothing in common.
  Owner Open(const JobKey& job);

  Bytes held();

 private:
  // What the connections of a job hold beyond their shares.
  struct Job {
    Bytes beyond;
  };
  // A resource, and how much of it is held.
  struct Stock {
    size_t Bytes::*const of;
    size_t held = 0;
    size_t beyond_shares = 0;
  };

  bool Change(Account& account, Bytes from, Bytes to);
  // Whether a connection may have `to` instead of what it holds.
  bool MayHold(const Stock& stock, const Account& account, Bytes to) const;
  void Note(Stock& stock, Account& account, Bytes to) const;
  size_t BeyondShare(const Stock& stock, Bytes held) const;

  Limits limits_;
  std::mutex mutex_;
  Stock memory_{&Bytes::memory}, device_{&Bytes::device};
  std::map<JobKey, std::weak_ptr<Job>> jobs_;
};

class Accounts::Account {
 public:
  Account(Accounts& accounts, const JobKey& key, std::shared_ptr<Job> job)
      : accounts_(accounts), key_(key), job_(std::move(job)) {}

  const JobKey& key() const { return key_; }

 private:
  friend class Accounts;

  Accounts& accounts_;
  const JobKey key_;
  // Both are guarded by the mutex of the accounts.
  const std::shared_ptr<Job> job_;
  Bytes held_;
};

}  // namespace halftoned::daemon
