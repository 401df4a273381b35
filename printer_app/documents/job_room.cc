// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/documents/job_room.h"

#include <chrono>
#include <string>
#include <thread>

#include "printer_app/jobs/job_log.h"

namespace halftoned {
namespace {

using namespace std::chrono_literals;

constexpr auto kLookForRoom = 200ms;
constexpr auto kTryRoomAgain = 5s;

}  // namespace

RoomWait::RoomWait(pappl_job_t* job, std::string_view why)
    : printer_(papplJobGetPrinter(job)) {
  LogJob(job, FrontLog::kError, "waits, because " + std::string(why));
  papplPrinterSetReasons(printer_, PAPPL_PREASON_SPOOL_AREA_FULL,
                         PAPPL_PREASON_NONE);
}

RoomWait::~RoomWait() {
  papplPrinterSetReasons(printer_, PAPPL_PREASON_NONE,
                         PAPPL_PREASON_SPOOL_AREA_FULL);
}

void AwaitRoomForJob(pappl_job_t* job, const std::string& folder,
                     bool was_short) {
  const bool has_room = HasRoomForJob(folder);
  if (has_room && !was_short) return;
  const RoomWait wait(
      job, has_room
               ? "there was too little space on the disk for temporary files"
               : "there is no space left on the disk for temporary files, or "
                 "too many files are open");
  const auto is_canceled = [job] { return papplJobIsCanceled(job); };
  do {
    for (auto waited = 0ms; waited < kTryRoomAgain && !is_canceled();
         waited += kLookForRoom) {
      std::this_thread::sleep_for(kLookForRoom);
    }
  } while (!is_canceled() && !HasRoomForJob(folder));
}

}  // namespace halftoned
