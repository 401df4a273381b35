// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The renderers of a job, and a thread that ends them soon after the job is
// canceled.

#pragma once

#include <pappl/pappl.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

#include "base/result.h"
#include "print/process/stop.h"
#include "print/render/renderers.h"

namespace halftoned {

class JobRenderers {
 public:
  // Throws std::system_error if the system cannot start a thread.
  static Result<std::unique_ptr<JobRenderers>> Make(pappl_job_t* job);
  ~JobRenderers();
  JobRenderers(const JobRenderers&) = delete;
  JobRenderers& operator=(const JobRenderers&) = delete;

  Renderers& all() { return all_; }

  // Requested when the job is canceled.
  const Stop& cancelled() const { return cancelled_; }

 private:
  JobRenderers(pappl_job_t* job, Stop cancelled);
  void Watch();

  pappl_job_t* const job_;
  Stop cancelled_;
  Renderers all_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_watched_ = true;
  std::thread watch_;
};

}  // namespace halftoned
