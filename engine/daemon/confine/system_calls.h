// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A filter of system calls (seccomp).

#pragma once

#include "daemon/confine/confine.h"

namespace halftoned::daemon {

// What is denied fails with EPERM. False, with errno, if the kernel cannot
// filter, or not on this kind of processor. Precondition: no new privileges.
bool DenySystemCalls(const Confinement& confinement);

}  // namespace halftoned::daemon
