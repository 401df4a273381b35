// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kinds of recipes that a worker serves, for the supervisor.

#pragma once

#include <cstdint>

#include "halftone/run/engine.h"

namespace halftoned::daemon {

// A bit for each kind of recipe (KindOf) that one of `engines` serves here.
uint64_t KindsServedBy(const EngineList& engines);

}  // namespace halftoned::daemon
