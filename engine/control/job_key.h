// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The account that a connection's work and memory are charged to.

#pragma once

#include <sys/types.h>

#include <compare>
#include <cstdint>

namespace halftoned::daemon {

// A job number as its user's client states it. Clients without a job, whose
// number is 0, have nothing in common.
struct JobKey {
  uid_t uid = 0;
  uint32_t job = 0;

  // For PageOrder and Turns.
  uint64_t number() const { return static_cast<uint64_t>(uid) << 32 | job; }

  friend auto operator<=>(const JobKey&, const JobKey&) = default;
};

}  // namespace halftoned::daemon
