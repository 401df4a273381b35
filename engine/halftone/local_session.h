// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The session that works in this process, with one of its kernels.

#ifndef HALFTONED_HALFTONE_LOCAL_SESSION_H_
#define HALFTONED_HALFTONE_LOCAL_SESSION_H_

#include <memory>

#include "base/result.h"
#include "halftone/kernel.h"
#include "halftone/pool.h"
#include "halftone/session.h"

namespace halftoned {

// `pool` outlives the session.
Result<std::unique_ptr<Session>> OpenLocalSession(const PageOrder& order,
                                                  Kernel kernel, Pool& pool);

}  // namespace halftoned

#endif  // HALFTONED_HALFTONE_LOCAL_SESSION_H_
