// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The spool, divided by users: unfinished jobs and their documents, including
// documents that are arriving. A user gets at most half of the disk space that
// others leave free, and all users of other machines together get three
// quarters, so neither one user nor two can fill the disk. Nor can a user
// create an unlimited number of jobs that end at once, since PAPPL keeps those
// of the last minute. PAPPL does not say when a job ends, so a job counts until
// somebody looks (IppRequest::ForgetEndedJobs).

#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace halftoned {

class UserShares {
 public:
  static constexpr int kMostPerMinute = 1000;  // jobs of a user

  struct Share {
    int jobs = 0;
    uint64_t bytes = 0;
  };
  struct JobKey {
    std::string printer;
    int id = 0;
    auto operator<=>(const JobKey&) const = default;
  };

  struct User {
    std::string name;  // or network
    bool is_remote = false;
    auto operator<=>(const User&) const = default;
  };

  // most: of a user. free: bytes of the disk.
  UserShares(Share most, std::function<uint64_t()> free)
      : most_(most), free_(std::move(free)) {}

  // The share of a request. It counts until the object ends, or belongs to a
  // job.
  class Coming {
   public:
    Coming(UserShares& shares, User user)
        : shares_(shares), user_(std::move(user)) {}
    ~Coming();
    Coming(const Coming&) = delete;
    Coming& operator=(const Coming&) = delete;

    // False: the user has too much already.
    bool Take(Share more);
    void GiveTo(const JobKey& job);

   private:
    UserShares& shares_;
    const User user_;
    Share taken_;
  };

  // True after so many new jobs that PAPPL may be keeping too many ended ones.
  bool IsTimeToTidy();

  // Those that have not been forgotten, ended or not.
  std::vector<JobKey> Jobs() const;
  void Forget(const JobKey& job);
  // Whether there are so many that it is time to look for those that have
  // ended.
  bool IsTimeToLook() const;
  void HaveLooked();

 private:
  struct Job {
    User user;
    Share share;
  };

  using Clock = std::chrono::steady_clock;
  struct Minute {
    Clock::time_point begin;
    int jobs = 0;
  };

  // Counts jobs of the running minute. False: there are too many.
  bool MayCreate(const User& user, int jobs);
  Share Of(const User& user) const;
  // Whether the disk has room for this many bytes.
  bool Has(uint64_t bytes, const User& user) const;
  void Subtract(const User& user, Share less);

  const Share most_;
  const std::function<uint64_t()> free_;
  mutable std::mutex mutex_;
  std::map<User, Share> users_;
  uint64_t remote_bytes_ = 0;
  std::map<User, Minute> minutes_;
  std::map<JobKey, Job> jobs_;
  int created_ = 0;  // since the last time to tidy
  size_t next_look_ = kFirstLook;

  static constexpr size_t kFirstLook = 4096;
  static constexpr size_t kMostMinutes = 4096;
  static constexpr int kMostOfTidy = 250;
};

}  // namespace halftoned
