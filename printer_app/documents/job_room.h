// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A full disk, or too many open files, is no reason to abort a job that has not
// begun: it waits.

#pragma once

#include <pappl/pappl.h>

#include <string>
#include <string_view>

namespace halftoned {

// Whether a job can create its first files in the directory, with 1 MiB of
// data. True if that fails for another reason than a lack of space, files or
// descriptors.
bool HasRoomForJob(const std::string& folder);

// A job's wait for room: logs why it waits. Meanwhile the printer has the
// reason spool-area-full.
class RoomWait {
 public:
  RoomWait(pappl_job_t* job, std::string_view why);
  ~RoomWait();
  RoomWait(const RoomWait&) = delete;
  RoomWait& operator=(const RoomWait&) = delete;

 private:
  pappl_printer_t* const printer_;
};

// Waits until there is room, or the job is canceled. was_short: there was too
// little room a moment ago (RenderPool::Retries), so it waits a while even if
// there is room.
void AwaitRoomForJob(pappl_job_t* job, const std::string& folder,
                     bool was_short);

}  // namespace halftoned
