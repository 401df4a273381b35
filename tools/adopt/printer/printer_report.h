// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why a queue's printer prints nothing, according to CUPS' states of the queue
// and its jobs. Pure, except that it reads CUPS' translations.

#pragma once

#include <string>
#include <vector>

#include "adopt/print/print_job.h"
#include "adopt/queue/print_server.h"
#include "base/finding.h"

namespace halftoned {

// No finding for a queue that is idle or prints. jobs: those not completed, the
// oldest first. catalogs: as for SaysNoAnswer.
Findings PrinterFindings(const PrintQueue& queue,
                         const std::vector<PrintJob>& jobs,
                         const std::string& catalogs);

}  // namespace halftoned
