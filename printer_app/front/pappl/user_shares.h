// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The spool, divided by users: unfinished jobs and their documents, including
// documents that are arriving. PAPPL does not say when a job ends, so
// a job counts until somebody looks (IppRequest::ForgetEndedJobs).

#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace halftoned {

class UserShares {
 public:
  struct Share {
    int jobs = 0;
    uint64_t bytes = 0;
  };
  struct JobKey {
    std::string printer;
    int id = 0;
    auto operator<=>(const JobKey&) const = default;
  };

  explicit UserShares(Share most) : most_(most) {}

  // The share of a request. It counts until the object ends, or belongs to a
  // job.
  class Coming {
   public:
    Coming(UserShares& shares, std::string user)
        : shares_(shares), user_(std::move(user)) {}
    ~Coming();
    Coming(const Coming&) = delete;
    Coming& operator=(const Coming&) = delete;

    // False: the user has too much already.
    bool Take(Share more);
    void GiveTo(const JobKey& job);

   private:
    UserShares& shares_;
    const std::string user_;
    Share taken_;
  };

  // Those that have not been forgotten, ended or not.
  std::vector<JobKey> Jobs() const;
  void Forget(const JobKey& job);
  // Whether there are so many that it is time to look for those that have
  // ended.
  bool IsTimeToLook() const;
  void HaveLooked();

 private:
  struct Job {
    std::string user;
    Share share;
  };

  void Subtract(const std::string& user, Share less);

  const Share most_;
  mutable std::mutex mutex_;
  std::map<std::string, Share> users_;
  std::map<JobKey, Job> jobs_;
  size_t next_look_ = kFirstLook;

  static constexpr size_t kFirstLook = 4096;
};

}  // namespace halftoned
