// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests that cancel several jobs, or the one that prints.

#include <cups/ipp.h>

#include <set>
#include <string>

#include "printer_app/front/client/ipp_request.h"
#include "printer_app/front/front.h"
#include "printer_app/front/pappl/printer_jobs.h"
#include "printer_app/front/rules/caller.h"

namespace halftoned {

Ipp IppRequest::SayCanceled(const std::set<int>& jobs) {
  return front_.SavesEnds(target_.printer, jobs)
             ? Say(IPP_STATUS_OK, "")
             : Say(IPP_STATUS_ERROR_INTERNAL, Front::kEndNotSaved);
}

// Each job takes a while, so one request cancels them, and those that follow
// find them canceled.
Ipp IppRequest::CancelOwnJobs() {
  ipp_attribute_t* wanted =
      ippFindAttribute(request_.get(), "job-ids", IPP_TAG_INTEGER);
  std::set<int> canceled;
  for (const JobOfPrinter& job : Jobs().List("not-completed")) {
    if (job.owner == user_ && (!wanted || ippContainsInteger(wanted, job.id))) {
      Jobs().Cancel(job.id);
      canceled.insert(job.id);
    }
  }
  return SayCanceled(canceled);
}

Ipp IppRequest::CancelCurrentJob() {
  for (const JobOfPrinter& job : Jobs().List("not-completed")) {
    if (job.state != IPP_JSTATE_PROCESSING && job.state != IPP_JSTATE_STOPPED) {
      continue;
    }
    if (!MayTouch(client_.caller, user_, job.owner)) {
      return Say(IPP_STATUS_ERROR_NOT_AUTHORIZED,
                 "Job " + std::to_string(job.id) + " is another user's.");
    }
    return Jobs().Cancel(job.id)
               ? SayCanceled({job.id})
               : Say(IPP_STATUS_ERROR_NOT_POSSIBLE, "The job has ended.");
  }
  return Say(IPP_STATUS_ERROR_NOT_FOUND, "No job is printing.");
}

}  // namespace halftoned
