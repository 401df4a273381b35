// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `halftone check` says about the queues of CUPS.

#ifndef HALFTONED_TOOLS_ADOPT_QUEUE_QUEUE_REPORT_H_
#define HALFTONED_TOOLS_ADOPT_QUEUE_QUEUE_REPORT_H_

#include <functional>

#include "base/finding.h"
#include "check/places.h"

namespace halftoned {

// Tells each finding as soon as it is known, since CUPS may be slow.
void ReportQueues(const Places& places,
                  const std::function<void(const Finding&)>& tell);

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_ADOPT_QUEUE_QUEUE_REPORT_H_
