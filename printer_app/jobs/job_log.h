// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines about jobs and printers in the server's log. Documents and drivers can
// cause any number of lines, so they are limited per user.

#pragma once

#include <pappl/pappl.h>

#include <string>

#include "printer_app/front/front_log.h"

namespace halftoned {

void LogJob(const FrontLog& log, pappl_job_t* job, FrontLog::Level level,
            const std::string& text, FrontLog::Kind kind = FrontLog::kUsual);
// For a job that is printing: finds the log through its printer.
void LogJob(pappl_job_t* job, FrontLog::Level level, const std::string& text);

// A job's end; takes no lock of PAPPL.
void LogEnd(const FrontLog& log, pappl_job_t* job);
void LogPrinter(const FrontLog& log, pappl_printer_t* printer,
                const char* what);

}  // namespace halftoned
