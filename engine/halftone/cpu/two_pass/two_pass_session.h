// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The session of `best` in this process, on the threads of a pool: a first pass
// by the strips of `fine`, and the second in rows of blocks, which threads
// share. Answers lag behind the bands, as method.h says.

#pragma once

#include <memory>

#include "base/result.h"
#include "halftone/cpu/local_session.h"
#include "halftone/cpu/swap.h"
#include "halftone/run/pool.h"
#include "halftone/run/session.h"

namespace halftoned {

// make: for the strips of the first pass. `pool` outlives the session.
Result<std::unique_ptr<Session>> OpenTwoPassSession(const PageOrder& order,
                                                    const StripsMaker& make,
                                                    SwapKernel swap,
                                                    Pool& pool);

}  // namespace halftoned
