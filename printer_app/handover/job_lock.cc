// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/handover/job_lock.h"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <utility>

namespace halftoned {
namespace {

Descriptor Lock(const std::string& path, int how) {
  auto file = Descriptor::Open(path, O_RDWR | O_CREAT, 0600);
  if (!file.ok()) return {};
  while (flock(file->get(), how) != 0) {
    if (errno != EINTR) return {};
  }
  return std::move(*file);
}

Descriptor LockHolds(const std::string& path, int how) {
  const Descriptor queue = Lock(path + ".queue", LOCK_EX);
  return Lock(path + ".holds", how);
}

}  // namespace

Descriptor LockJobs(const std::string& path) { return Lock(path, LOCK_EX); }

Descriptor TryLockJobs(const std::string& path) {
  return Lock(path, LOCK_EX | LOCK_NB);
}

Descriptor LockToReadHolds(const std::string& path) {
  return LockHolds(path, LOCK_SH);
}

Descriptor LockToChangeHolds(const std::string& path) {
  return LockHolds(path, LOCK_EX);
}

Descriptor LockCopies(const std::string& path) {
  return Lock(path + ".copies", LOCK_EX);
}

}  // namespace halftoned
