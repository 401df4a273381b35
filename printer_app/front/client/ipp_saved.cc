// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the effects of a request are on disk before its client gets the
// reply.

#include <cups/ipp.h>

#include <string>

#include "printer_app/front/client/ipp_request.h"
#include "printer_app/front/front.h"
#include "printer_app/front/rules/rights.h"

namespace halftoned {

std::string IppRequest::WhatIsNotSaved(ipp_t* answer) {
  const ipp_op_t operation = ippGetOperation(request_.get());
  if (ChangesPrinters(operation) && !front_.SavesPrinters()) {
    return Front::kNotSaved;
  }
  const int job = operation == IPP_OP_CANCEL_JOB ? target_.job : 0;
  if (CancelsJobs(operation) && !front_.SavesEnds(target_.printer, {job})) {
    return Front::kEndNotSaved;
  }
  if (CreatesJob(operation)) {
    const int created =
        ippGetInteger(ippFindAttribute(answer, "job-id", IPP_TAG_INTEGER), 0);
    if (!front_.SavesJob(target_.printer, created)) {
      Jobs().Cancel(created);
      return Front::kJobNotSaved;
    }
  }
  return "";
}

}  // namespace halftoned
