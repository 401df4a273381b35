// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A small page of all tones that is known bit by bit: whoever makes it rightly
// is in health.

#ifndef HALFTONED_DAEMON_HEALTH_PAGE_H_
#define HALFTONED_DAEMON_HEALTH_PAGE_H_

#include "base/result.h"
#include "halftone/session.h"

namespace halftoned::daemon {

// The page and its recipe.
PageOrder HealthOrder();
// Whether a session of that order gives the right bits; kBug if they are wrong.
Result<void> CheckBits(Session& session);

}  // namespace halftoned::daemon

#endif  // HALFTONED_DAEMON_HEALTH_PAGE_H_
