// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "file/pending_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace halftoned {

PendingFiles::~PendingFiles() {
  for (const std::string& path : paths_) ::unlink(path.c_str());
}

Result<Descriptor> PendingFiles::Create(const std::string& path, mode_t mode) {
  const std::lock_guard lock(mutex_);
  // First, since it may throw.
  const auto place = paths_.insert(path).first;
  Descriptor fd(
      ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode));
  if (!fd.open()) {
    const Error error =
        ErrnoError(errno == EEXIST ? ErrorCode::kUnavailable : ErrorCode::kIo,
                   "cannot create");
    paths_.erase(place);
    return error;
  }
  return fd;
}

Result<void> PendingFiles::Keep(const std::string& path,
                                const std::string& target) {
  const std::lock_guard lock(mutex_);
  if (std::rename(path.c_str(), target.c_str()) != 0) {
    return ErrnoError(ErrorCode::kIo, "cannot put in place");
  }
  paths_.erase(path);
  return {};
}

void PendingFiles::Delete(const std::string& path) {
  const std::lock_guard lock(mutex_);
  if (paths_.erase(path) > 0) ::unlink(path.c_str());
}

void PendingFiles::DeleteAllForGood() {
  mutex_.lock();
  for (const std::string& path : paths_) ::unlink(path.c_str());
}

}  // namespace halftoned
