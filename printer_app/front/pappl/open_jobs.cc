// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/pappl/open_jobs.h"

#include <algorithm>
#include <utility>

namespace halftoned {

OpenJobs::Document::Document(OpenJobs& jobs, JobKey job)
    : jobs_(jobs), job_(std::move(job)) {
  const std::lock_guard lock(jobs_.mutex_);
  const auto found = jobs_.jobs_.find(job_);
  if (found == jobs_.jobs_.end()) return;
  constexpr auto kComes = Clock::time_point::max();
  Job& open = found->second;
  is_allowed_ = !open.is_closed && std::exchange(open.end, kComes) != kComes;
}

OpenJobs::Document::~Document() {
  if (!is_allowed_) return;
  const std::lock_guard lock(jobs_.mutex_);
  const auto found = jobs_.jobs_.find(job_);
  if (found == jobs_.jobs_.end()) return;
  if (has_come_) {
    jobs_.jobs_.erase(found);
  } else {
    found->second.end = Clock::now() + wait_;
    jobs_.changed_.notify_all();
  }
}

void OpenJobs::Add(const JobKey& job, Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  jobs_[job] = {now + kMostOfWait};
  changed_.notify_all();
}

void OpenJobs::Close(const JobKey& job) {
  const std::lock_guard lock(mutex_);
  const auto found = jobs_.find(job);
  if (found != jobs_.end()) found->second.is_closed = true;
}

std::vector<OpenJobs::JobKey> OpenJobs::TakeOverdue(Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  std::vector<JobKey> overdue;
  for (auto& [key, job] : jobs_) {
    if (job.end > now) continue;
    overdue.push_back(key);
    job = {Clock::time_point::max(), true};
  }
  return overdue;
}

void OpenJobs::Forget(const JobKey& job) {
  const std::lock_guard lock(mutex_);
  const auto found = jobs_.find(job);
  // PAPPL may have begun again and used its number for another.
  if (found != jobs_.end() && found->second.is_closed) jobs_.erase(found);
}

void OpenJobs::Watch(const std::function<void(const JobKey&)>& take) {
  while (true) {
    {
      std::unique_lock lock(mutex_);
      auto next = Clock::time_point::max();
      for (const auto& [key, job] : jobs_) next = std::min(next, job.end);
      if (next == Clock::time_point::max()) {
        changed_.wait(lock);
      } else {
        changed_.wait_until(lock, next);
      }
    }
    for (const JobKey& job : TakeOverdue(Clock::now())) {
      take(job);
      Forget(job);
    }
  }
}

}  // namespace halftoned
