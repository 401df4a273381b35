// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A full disk, or too many open files, is no reason to abort a job that has not
// begun: it waits. It is aborted only if it keeps another job waiting for long
// that could print meanwhile, because PAPPL 1.3 cannot suspend a job.

#pragma once

#include <pappl/pappl.h>

#include <chrono>
#include <string>

#include "base/result.h"
#include "printer_app/jobs/page_patience.h"

namespace halftoned {

struct Application;
class JobTurns;

// Whether a job can create its first files in the directory, with 1 MiB of
// data. True if that fails for another reason than a lack of space, files or
// descriptors.
bool HasRoomForJob(const std::string& folder);

// How long a job waits for room and is converted, in all: without limit if no
// other job of the printer could print meanwhile, but only for ten times
// page-timeout if one could.
class RoomPatience {
 public:
  // The application outlives it.
  RoomPatience(pappl_job_t* job, const Application& application);

  // Adds time that has passed. False: others have waited long enough, now and
  // from then on.
  bool Wait(PagePatience::Time time);
  // The same while a program works for the job. It has used this CPU time; it
  // gets twice page-timeout in any case, even if other jobs slow it down.
  bool WaitForWork(PagePatience::Time time, std::chrono::nanoseconds used) {
    return Wait(time) || used < least_work_;
  }
  bool is_over() const { return is_over_; }

 private:
  pappl_printer_t* const printer_;
  const JobTurns& turns_;
  const PagePatience::Time least_work_;
  PagePatience patience_;
  bool do_others_wait_ = false;  // as far as known
  bool is_over_ = false;
};

// A job's wait for room: logs why it waits. Meanwhile the printer has the
// reason spool-area-full.
class RoomWait {
 public:
  // The patience outlives it.
  RoomWait(pappl_job_t* job, std::string why, RoomPatience& patience);
  ~RoomWait();
  RoomWait(const RoomWait&) = delete;
  RoomWait& operator=(const RoomWait&) = delete;

  // Call it often. True: others have waited long enough.
  bool IsOver();
  // Says so.
  Error error() const { return IoError(why_ + ", and other jobs wait"); }

 private:
  using Clock = std::chrono::steady_clock;

  pappl_printer_t* const printer_;
  const std::string why_;
  RoomPatience& patience_;
  Clock::time_point counted_ = Clock::now();  // the time until then
  bool is_over_ = false;
};

// Waits until there is room, or the job is canceled. was_short: there was too
// little room a moment ago (RenderPool::Retries), so it waits a while even if
// there is room. An error if others have waited long enough.
Result<void> AwaitRoomForJob(pappl_job_t* job, const std::string& folder,
                             bool was_short, RoomPatience& patience);

}  // namespace halftoned
