// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/file/pending_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string_view>

namespace halftoned {
namespace {

bool IsDots(std::string_view name) { return name == "." || name == ".."; }

// Some file systems cannot promise to replace nothing.
bool Rename(int folder, const char* name, const char* target,
            bool may_replace) {
  if (!may_replace) {
    constexpr unsigned kReplaceNothing = RENAME_NOREPLACE;
    if (::renameat2(folder, name, folder, target, kReplaceNothing) == 0) {
      return true;
    }
    if (errno != EINVAL && errno != ENOSYS) return false;
  }
  return ::renameat(folder, name, folder, target) == 0;
}

// Throws nothing, not even if memory runs out.
void RemoveFolder(int at, const char* name) {
  const int fd = ::openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (DIR* folder = fd < 0 ? nullptr : ::fdopendir(fd)) {
    while (const dirent* entry = ::readdir(folder)) {
      if (IsDots(entry->d_name)) continue;
      if (::unlinkat(fd, entry->d_name, 0) != 0 && errno == EISDIR) {
        RemoveFolder(fd, entry->d_name);
      }
    }
    ::closedir(folder);
  }
  ::unlinkat(at, name, AT_REMOVEDIR);
}

}  // namespace

PendingFiles::~PendingFiles() { Unlink(); }

Result<Descriptor> PendingFiles::Create(const Folder& folder,
                                        const std::string& name, mode_t mode) {
  const std::lock_guard lock(mutex_);
  // First, since it may throw.
  const auto place = files_.emplace(folder, name).first;
  Descriptor fd(::openat(folder->get(), name.c_str(),
                         O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode));
  if (!fd.open()) {
    const Error error =
        ErrnoError(errno == EEXIST ? ErrorCode::kUnavailable : ErrorCode::kIo,
                   "cannot create");
    files_.erase(place);
    return error;
  }
  return fd;
}

// Keep and Delete make their key first, because allocating it may fail.
Result<void> PendingFiles::Keep(const Folder& folder, const std::string& name,
                                const std::string& target) {
  const std::pair file(folder, name);
  const std::lock_guard lock(mutex_);
  if (!Rename(folder->get(), name.c_str(), target.c_str(), may_replace_)) {
    return ErrnoError(ErrorCode::kIo, "cannot rename to its final name");
  }
  files_.erase(file);
  return {};
}

void PendingFiles::Delete(const Folder& folder, const std::string& name) {
  const std::pair file(folder, name);
  const std::lock_guard lock(mutex_);
  if (files_.erase(file) > 0) ::unlinkat(folder->get(), name.c_str(), 0);
}

void PendingFiles::AddFolder(const std::string& path) {
  const std::lock_guard lock(mutex_);
  folders_.insert(path);
}

void PendingFiles::ForgetFolder(const std::string& path) {
  const std::lock_guard lock(mutex_);
  folders_.erase(path);
}

void PendingFiles::DeleteAllForGood() {
  mutex_.lock();
  Unlink();
}

void PendingFiles::Unlink() {
  for (const auto& [folder, name] : files_) {
    ::unlinkat(folder->get(), name.c_str(), 0);
  }
  for (const std::string& folder : folders_) {
    RemoveFolder(AT_FDCWD, folder.c_str());
  }
}

}  // namespace halftoned
