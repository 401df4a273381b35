// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts the work that a loop does for clients. Used by one thread at a time.

#pragma once

#include "control/work.h"
#include "daemon/worker/clients/last_minute.h"
#include "halftone/page/method.h"

namespace halftoned::daemon {

struct Tally {
  LastMinute last_minute;
  Work work;

  TypeWork& Of(Algorithm algorithm) {
    return work.types[static_cast<size_t>(algorithm) % Work::kTypes];
  }
};

}  // namespace halftoned::daemon
