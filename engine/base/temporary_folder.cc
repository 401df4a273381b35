// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/temporary_folder.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "base/text.h"

namespace halftoned {
namespace {

// To make a directory that no other process removes before it is locked.
constexpr int kMostTries = 10;

// Not open if the directory cannot be opened or somebody else has the lock.
Descriptor Lock(const std::string& path) {
  auto folder = Descriptor::Open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (!folder.ok() || ::flock(folder->get(), LOCK_EX | LOCK_NB) != 0) return {};
  return std::move(*folder);
}

bool IsOwn(const std::string& path) {
  struct stat status;
  return ::lstat(path.c_str(), &status) == 0 && status.st_uid == ::geteuid() &&
         S_ISDIR(status.st_mode);
}

// False if another process has removed it.
bool IsAt(const Descriptor& folder, const std::string& path) {
  struct stat ours, found;
  return ::fstat(folder.get(), &ours) == 0 &&
         ::lstat(path.c_str(), &found) == 0 && ours.st_dev == found.st_dev &&
         ours.st_ino == found.st_ino;
}

void RemoveLeft(const std::string& parent, std::string_view prefix) {
  std::error_code error;
  std::filesystem::directory_iterator folders(parent, error);
  for (; !error && folders != std::filesystem::directory_iterator();
       folders.increment(error)) {
    const std::filesystem::path& path = folders->path();
    if (!path.filename().string().starts_with(prefix) || !IsOwn(path)) {
      continue;
    }
    const Descriptor locked = Lock(path);
    std::error_code ignored;
    if (locked.open()) std::filesystem::remove_all(path, ignored);
  }
}

}  // namespace

Result<TemporaryFolder> TemporaryFolder::Make(const std::string& parent,
                                              std::string_view prefix) {
  RemoveLeft(parent, prefix);
  for (int tries = 1;; ++tries) {
    std::string path = parent + "/" + std::string(prefix) + "XXXXXX";
    if (!::mkdtemp(path.data())) {
      return ErrnoError(ErrorCode::kIo,
                        "cannot create a directory in " + Printable(parent));
    }
    Descriptor locked = Lock(path);
    // Some file systems have no locks.
    if ((locked.open() && IsAt(locked, path)) || tries == kMostTries) {
      return TemporaryFolder(std::move(path), std::move(locked));
    }
    ::rmdir(path.c_str());
  }
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})),
      locked_(std::move(other.locked_)) {}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace halftoned
