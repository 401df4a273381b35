// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/jobs/job_log.h"

#include "printer_app/application.h"

namespace halftoned {

void LogJob(const FrontLog& log, pappl_job_t* job, FrontLog::Level level,
            const std::string& text, FrontLog::Kind kind) {
  const char* user = papplJobGetUsername(job);
  log.Write(level, "[Job " + std::to_string(papplJobGetID(job)) + "] " + text,
            LogLimit::Client{user ? user : "nobody"}, kind);
}

void LogJob(pappl_job_t* job, FrontLog::Level level, const std::string& text) {
  pappl_pr_driver_data_t data;
  if (!papplPrinterGetDriverData(papplJobGetPrinter(job), &data)) return;
  const auto& application =
      static_cast<const PrinterDriver*>(data.extension)->application;
  if (application.log) LogJob(*application.log, job, level, text);
}

void LogEnd(const FrontLog& log, pappl_job_t* job) {
  const ipp_jstate_t state = papplJobGetState(job);
  const std::string how = state == IPP_JSTATE_COMPLETED  ? "Completed"
                          : state == IPP_JSTATE_CANCELED ? "Canceled"
                                                         : "Aborted";
  LogJob(log, job, FrontLog::kInfo,
         how + " on " + papplPrinterGetName(papplJobGetPrinter(job)) +
             ", printed sides: " +
             std::to_string(papplJobGetImpressionsCompleted(job)) + '.',
         FrontLog::kKept);
}

void LogPrinter(const FrontLog& log, pappl_printer_t* printer,
                const char* what) {
  log.Write(FrontLog::kInfo,
            std::string("Printer ") + papplPrinterGetName(printer) + " is " +
                what + '.',
            LogLimit::Client{}, FrontLog::kKept);
}

}  // namespace halftoned
