// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The session that works in this process, on the threads of a pool. It works on
// submitted bands in order while others are filled and taken. Threads share
// wide pages strip by strip.

#pragma once

#include <functional>
#include <memory>

#include "base/result.h"
#include "halftone/cpu/strips.h"
#include "halftone/run/pool.h"
#include "halftone/run/session.h"

namespace halftoned {

using StripsMaker =
    std::function<std::unique_ptr<Strips>(const Page&, const Recipe&)>;

// `pool` outlives the session. Without a pool the session halftones only what
// needs no thread, and is kUnavailable from the first band with a gray pixel.
Result<std::unique_ptr<Session>> OpenLocalSession(const PageOrder& order,
                                                  const StripsMaker& make,
                                                  Pool* pool);

}  // namespace halftoned
