// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Landlock: the files that a process may open, beside those that it has, and
// the processes that it may signal, trace and connect to.

#pragma once

#include "daemon/confine/confine.h"

namespace halftoned::daemon {

// False, with errno, if the kernel has no Landlock or does not allow it. What
// only newer kernels can restrict is restricted there.
bool RestrictFiles(const Confinement& confinement);

}  // namespace halftoned::daemon
