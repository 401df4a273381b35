// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why nothing comes out of a queue's printer, as CUPS tells it: the state of
// the queue and its jobs. Pure but for reading CUPS' translations.

#pragma once

#include <string>
#include <vector>

#include "adopt/print/print_job.h"
#include "adopt/queue/print_server.h"
#include "base/finding.h"

namespace halftoned {

// None for a queue that is idle or prints. jobs: those not completed, the
// oldest first. catalogs: as SaysNoAnswer takes it.
Findings PrinterFindings(const PrintQueue& queue,
                         const std::vector<PrintJob>& jobs,
                         const std::string& catalogs);

}  // namespace halftoned
