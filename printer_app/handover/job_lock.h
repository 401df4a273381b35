// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lock that both processes of the server take to change jobs or printers.

#pragma once

#include <string>

#include "base/descriptor.h"

namespace halftoned {

// Locks the file until the descriptor is closed, and makes it if it is missing.
// While it is locked, no job begins, and no job or printer changes.
Descriptor LockJobs(const std::string& path);

// The same without a wait: not open if somebody else has the lock.
Descriptor TryLockJobs(const std::string& path);

}  // namespace halftoned
