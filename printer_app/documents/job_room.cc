// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/documents/job_room.h"

#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include "printer_app/application.h"
#include "printer_app/jobs/job_log.h"
#include "printer_app/jobs/job_turns.h"

namespace halftoned {
namespace {

using namespace std::chrono_literals;

constexpr auto kLookForRoom = 200ms;
constexpr auto kTryRoomAgain = 5s;

}  // namespace

RoomPatience::RoomPatience(pappl_job_t* job, const Application& application)
    : printer_(papplJobGetPrinter(job)),
      turns_(application.keeper->turns()),
      least_work_(2 * application.page_timeout),
      patience_(PagePatience::kMostGaps * application.page_timeout) {}

bool RoomPatience::Wait(PagePatience::Time time) {
  do_others_wait_ =
      turns_.HasWaiting(printer_, HasRoomForJob(papplGetTempDir()))
          .value_or(do_others_wait_);
  is_over_ |= !patience_.Wait(time, do_others_wait_);
  return !is_over_;
}

RoomWait::RoomWait(pappl_job_t* job, std::string why, RoomPatience& patience)
    : printer_(papplJobGetPrinter(job)),
      why_(std::move(why)),
      patience_(patience) {
  LogJob(job, FrontLog::kError, "waits, because " + why_);
  papplPrinterSetReasons(printer_, PAPPL_PREASON_SPOOL_AREA_FULL,
                         PAPPL_PREASON_NONE);
}

RoomWait::~RoomWait() {
  papplPrinterSetReasons(printer_, PAPPL_PREASON_NONE,
                         PAPPL_PREASON_SPOOL_AREA_FULL);
}

bool RoomWait::IsOver() {
  const auto now = Clock::now();
  const auto more =
      std::chrono::duration_cast<PagePatience::Time>(now - counted_);
  if (!is_over_ && more >= kTryRoomAgain) {
    is_over_ = !patience_.Wait(more);
    counted_ = now;
  }
  return is_over_;
}

Result<void> AwaitRoomForJob(pappl_job_t* job, const std::string& folder,
                             bool was_short, RoomPatience& patience) {
  const bool has_room = HasRoomForJob(folder);
  if (has_room && !was_short) return {};
  RoomWait wait(
      job,
      has_room ? "there was too little space on the disk for temporary files"
               : "there is no space left on the disk for temporary files, or "
                 "too many files are open",
      patience);
  const auto is_canceled = [job] { return papplJobIsCanceled(job); };
  do {
    for (auto waited = 0ms; waited < kTryRoomAgain && !is_canceled();
         waited += kLookForRoom) {
      std::this_thread::sleep_for(kLookForRoom);
    }
    if (is_canceled() || HasRoomForJob(folder)) return {};
  } while (!wait.IsOver());
  return wait.error();
}

}  // namespace halftoned
