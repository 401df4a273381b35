// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/documents/job_room.h"

#include <chrono>
#include <thread>

#include "printer_app/jobs/job_log.h"

namespace halftoned {
namespace {

using namespace std::chrono_literals;

constexpr auto kLookForRoom = 200ms;
constexpr auto kTryRoomAgain = 5s;

}  // namespace

void AwaitRoomForJob(pappl_job_t* job, const std::string& folder,
                     bool was_short) {
  const bool has_room = HasRoomForJob(folder);
  if (has_room && !was_short) return;
  LogJob(job, FrontLog::kError,
         has_room ? "waits, because there was too little space on the disk for "
                    "temporary files"
                  : "waits, because there is no space left on the disk for "
                    "temporary files, or too many files are open");
  pappl_printer_t* printer = papplJobGetPrinter(job);
  papplPrinterSetReasons(printer, PAPPL_PREASON_SPOOL_AREA_FULL,
                         PAPPL_PREASON_NONE);
  const auto is_canceled = [job] { return papplJobIsCanceled(job); };
  do {
    for (auto waited = 0ms; waited < kTryRoomAgain && !is_canceled();
         waited += kLookForRoom) {
      std::this_thread::sleep_for(kLookForRoom);
    }
  } while (!is_canceled() && !HasRoomForJob(folder));
  papplPrinterSetReasons(printer, PAPPL_PREASON_NONE,
                         PAPPL_PREASON_SPOOL_AREA_FULL);
}

}  // namespace halftoned
