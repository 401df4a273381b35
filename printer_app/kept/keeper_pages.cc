// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers to the front end's questions whether changes are on disk.

#include <string>
#include <vector>

#include "printer_app/kept/job_keeper.h"
#include "printer_app/server/inner_answer.h"

namespace halftoned {

// When the client gets the response, all earlier changes are on disk.
bool JobKeeper::OnSavePage(pappl_client_t* client, void* data) {
  return static_cast<JobKeeper*>(data)->printers_.Save()
             ? AnswerFront(client, "saved\n")
             : RefuseFront(client, HTTP_STATUS_SERVER_ERROR);
}

// When the client gets the response, no canceled job prints after a restart,
// except those in it.
bool JobKeeper::OnEndsPage(pappl_client_t* client, void* data) {
  JobKeeper& keeper = *static_cast<JobKeeper*>(data);
  keeper.EndOverdue();
  return AnswerFront(client, keeper.LinesFor(keeper.jobs_.UnsavedEnds()));
}

// When the client gets the response, all jobs that were created earlier are on
// disk, except those in it.
bool JobKeeper::OnUnsavedPage(pappl_client_t* client, void* data) {
  JobKeeper& keeper = *static_cast<JobKeeper*>(data);
  return AnswerFront(client, keeper.LinesFor(keeper.jobs_.Outdated()));
}

std::string JobKeeper::LinesFor(const std::vector<JobNumber>& jobs) {
  std::string lines;
  if (jobs.empty()) return lines;
  live_.ForEach([&](pappl_printer_t* printer) {
    for (const JobNumber number : jobs) {
      if (number.printer != papplPrinterGetID(printer)) continue;
      lines += std::to_string(number.job) + ' ' +
               LivePrinters::PathOf(printer) + '\n';
    }
  });
  return lines;
}

}  // namespace halftoned
