// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The daemon's clock: monotonic. Functions that depend on time take it as an
// argument.

#pragma once

#include <chrono>

namespace halftoned::daemon {

using Clock = std::chrono::steady_clock;
using Instant = Clock::time_point;
using Duration = Clock::duration;

inline constexpr Instant kNever = Instant::max();

}  // namespace halftoned::daemon
