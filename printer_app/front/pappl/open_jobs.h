// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jobs that were created and have no document yet. PAPPL tells clients that it
// aborts one after a minute (multiple-operation-time-out), but does not. Nor
// does it refuse a document for a job that its client has closed.

#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <vector>

#include "printer_app/front/pappl/user_shares.h"

namespace halftoned {

class OpenJobs {
 public:
  using Clock = std::chrono::steady_clock;
  using JobKey = UserShares::JobKey;
  static constexpr std::chrono::seconds kMostOfWait{60};
  // Most clients send no other document. The backend of CUPS needs the time to
  // see that its job waits, or takes the cancellation for a success.
  static constexpr std::chrono::seconds kWaitAfterRefusal{10};

  // A document of the job is arriving while this object exists.
  class Document {
   public:
    Document(OpenJobs& jobs, JobKey job);
    // Restarts the wait, unless the job has its document.
    ~Document();
    Document(const Document&) = delete;
    Document& operator=(const Document&) = delete;

    // False: the job is closed, or another document of it is arriving.
    bool is_allowed() const { return is_allowed_; }
    void HasCome() { has_come_ = true; }
    void WasRefused() { wait_ = kWaitAfterRefusal; }

   private:
    OpenJobs& jobs_;
    const JobKey job_;
    bool is_allowed_ = true;
    bool has_come_ = false;
    std::chrono::seconds wait_ = kMostOfWait;
  };

  void Add(const JobKey& job, Clock::time_point now = Clock::now());
  // The client sends no document for the job: none is accepted any more.
  void Close(const JobKey& job);
  // Whether the job has no document yet.
  bool Has(const JobKey& job) const {
    const std::lock_guard lock(mutex_);
    return jobs_.contains(job);
  }
  // Closes the jobs whose time is over, and returns them, each once.
  std::vector<JobKey> TakeOverdue(Clock::time_point now);
  // Such a job has ended.
  void Forget(const JobKey& job);
  // Calls `take` for every job whose time is over; never returns.
  void Watch(const std::function<void(const JobKey&)>& take);

 private:
  struct Job {
    Clock::time_point end;  // when its time is over
    bool is_closed = false;
  };

  std::map<JobKey, Job> jobs_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
};

}  // namespace halftoned
