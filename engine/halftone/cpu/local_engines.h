// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The engines that work in this process.

#pragma once

#include <memory>

#include "halftone/run/engine.h"
#include "halftone/run/pool.h"

namespace halftoned {

// Vector and scalar engines, on the threads of `pool`, which outlives them and
// their sessions.
EngineList LocalEngines(Pool& pool);

// An engine without threads, to be the first of several: it halftones rows
// without gray pixels, and is kUnavailable from a page's first band with a gray
// pixel. Null if no engine of this machine can do that.
std::unique_ptr<Engine> PureRowsEngine();

}  // namespace halftoned
