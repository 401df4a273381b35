// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kinds of recipes that a worker serves, for the supervisor.

#ifndef HALFTONED_DAEMON_WORKER_RECIPE_KINDS_H_
#define HALFTONED_DAEMON_WORKER_RECIPE_KINDS_H_

#include <cstdint>

#include "halftone/run/engine.h"

namespace halftoned::daemon {

// A bit for each kind of recipe (KindOf) that an engine of these serves here.
uint32_t KindsServedBy(const EngineList& engines);

}  // namespace halftoned::daemon

#endif  // HALFTONED_DAEMON_WORKER_RECIPE_KINDS_H_
