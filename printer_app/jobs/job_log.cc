// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/jobs/job_log.h"

#include "printer_app/application.h"

namespace halftoned {

void LogJob(const FrontLog& log, pappl_job_t* job, FrontLog::Level level,
            const std::string& text, FrontLog::Kind kind) {
  const char* user = papplJobGetUsername(job);
  log.Write(level, "[Job " + std::to_string(papplJobGetID(job)) + "] " + text,
            user ? user : "nobody", kind);
}

void LogJob(pappl_job_t* job, FrontLog::Level level, const std::string& text) {
  pappl_pr_driver_data_t data;
  if (!papplPrinterGetDriverData(papplJobGetPrinter(job), &data)) return;
  const auto& application =
      static_cast<const PrinterDriver*>(data.extension)->application;
  if (application.log) LogJob(*application.log, job, level, text);
}

}  // namespace halftoned
