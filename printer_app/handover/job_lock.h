// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lock that both processes of the server take to change jobs or printers.

#pragma once

#include <string>

#include "base/descriptor.h"

namespace halftoned {

// Locks the file until the descriptor is closed; creates it if it is missing.
// While it is locked, no job begins, and no job or printer changes.
Descriptor LockJobs(const std::string& path);

// As LockJobs, but does not wait: returns a closed descriptor if the file is
// already locked.
Descriptor TryLockJobs(const std::string& path);

// PAPPL lists jobs without locking them, and frees an attribute of a job when
// its hold ends. So many threads can share this lock to list jobs over IPP, but
// only one can hold it to change holds or to show a page. Waiting threads are
// not overtaken. path: that of LockJobs, which is taken before this lock.
Descriptor LockToReadHolds(const std::string& path);
Descriptor LockToChangeHolds(const std::string& path);

// libcups copies a collection by counting one more user of it, without a lock,
// and sends it from a position that it keeps in the collection. It searches and
// copies attributes from a position that it keeps with them: if two threads do
// so at a time, one misses some. So only one thread at a time may search or
// copy the attributes of printers or jobs, send them, and delete the copies.
// path: that of LockJobs. Take this lock after the others, and before any lock
// of PAPPL.
Descriptor LockCopies(const std::string& path);

}  // namespace halftoned
