// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/file/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>
#include <vector>

#include "print/file/temporary_file.h"

namespace halftoned {
namespace {

// Gives the new file the owner, group and permissions of the old one. If the
// group cannot be kept, its permissions must not pass to another group.
void TakeAfter(int fd, const struct stat& old) {
  mode_t mode = old.st_mode & 0777;
  constexpr auto kAnyUser = static_cast<uid_t>(-1);
  if (::fchown(fd, old.st_uid, old.st_gid) != 0 &&
      ::fchown(fd, kAnyUser, old.st_gid) != 0) {
    mode &= 0707 | (mode & 07) << 3;
  }
  ::fchmod(fd, mode);
}

// A new name is durable only once its folder is synced. Some file systems do
// not support this, and some folders cannot be opened for it.
Result<void> SyncFolder(const Descriptor& folder) {
  if (::fsync(folder.get()) == 0 || errno == EINVAL || errno == EBADF) {
    return {};
  }
  return ErrnoError(ErrorCode::kIo,
                    "is complete, but its directory cannot be synced");
}

// A file that is written in place or replaced must not have been planted by
// another user.
Result<void> CheckMayReplace(const OutputPlace& place,
                             const PendingFiles& pending) {
  if (!pending.may_replace() && S_ISREG(place.there->st_mode)) {
    return IoError("already exists");
  }
  HALFTONED_TRY_ASSIGN(const bool is_foreign,
                       IsForeign(*place.folder, *place.there));
  if (!is_foreign) return {};
  return IoError("belongs to another user, in a world-writable directory");
}

}  // namespace

std::string NumberedName(std::string name, int64_t number) {
  std::string digits = std::to_string(number);
  digits.insert(0, digits.size() < 3 ? 3 - digits.size() : 0, '0');
  const size_t slash = name.rfind('/');
  const size_t dot = name.rfind('.');
  const bool has_dot = dot != name.npos && (slash == name.npos || dot > slash);
  return name.insert(has_dot ? dot : name.size(), '-' + digits);
}

Result<std::unique_ptr<OutputFile>> OutputFile::Create(const std::string& path,
                                                       PendingFiles& pending) {
  if (path == "-") {
    Descriptor copy(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0));
    if (!copy.open()) return IoError("standard output is closed");
    return std::unique_ptr<OutputFile>(
        new OutputFile(pending, std::move(copy)));
  }
  HALFTONED_TRY_ASSIGN(OutputPlace place, OutputPlace::Find(path));
  if (!place.there) return CreateBeside(std::move(place), 0666, pending);
  const struct stat old = *place.there;
  if (S_ISDIR(old.st_mode)) return IoError("is a directory");
  HALFTONED_TRY(CheckMayReplace(place, pending));
  if (::faccessat(place.folder->get(), place.name.c_str(), W_OK, 0) != 0) {
    return ErrnoError(ErrorCode::kIo, "cannot write");
  }
  if (!S_ISREG(old.st_mode)) return OpenInPlace(place, pending);
  HALFTONED_TRY_ASSIGN(auto file,
                       CreateBeside(std::move(place), 0600, pending));
  TakeAfter(file->fd(), old);
  return file;
}

Result<std::unique_ptr<OutputFile>> OutputFile::OpenInPlace(
    const OutputPlace& place, PendingFiles& pending) {
  const int follow = place.is_nameless ? 0 : O_NOFOLLOW;
  Descriptor fd(::openat(place.folder->get(), place.name.c_str(),
                         O_WRONLY | O_CLOEXEC | O_NOCTTY | follow));
  struct stat opened;
  if (!fd.open() || ::fstat(fd.get(), &opened) != 0) {
    return ErrnoError(ErrorCode::kIo, "cannot write");
  }
  if (!IsSame(opened, *place.there)) return IoError("has just been replaced");
  return std::unique_ptr<OutputFile>(new OutputFile(pending, std::move(fd)));
}

Result<std::unique_ptr<OutputFile>> OutputFile::CreateBeside(
    OutputPlace place, mode_t mode, PendingFiles& pending) {
  for (;;) {
    const std::string temporary = RandomName(".halftone-");
    auto fd = pending.Create(place.folder, temporary, mode);
    if (!fd.ok() && fd.error().code == ErrorCode::kUnavailable) continue;
    if (!fd.ok()) return fd.error();
    std::unique_ptr<OutputFile> file(new OutputFile(pending, std::move(*fd)));
    file->temporary_ = temporary;
    file->name_ = place.name;
    file->place_ = std::move(place);
    return file;
  }
}

OutputFile::~OutputFile() {
  if (!temporary_.empty()) pending_.Delete(place_.folder, temporary_);
}

Result<void> OutputFile::Write(std::span<const std::byte> bytes) {
  return WriteFully(fd_.get(), bytes);
}

Result<void> OutputFile::Number(int64_t number) {
  place_.name = NumberedName(name_, number);
  place_.there.reset();
  struct stat there;
  if (::fstatat(place_.folder->get(), place_.name.c_str(), &there,
                AT_SYMLINK_NOFOLLOW) != 0) {
    return {};
  }
  const auto refuse = [&](const std::string& why) {
    return IoError(place_.name + why);
  };
  if (!S_ISREG(there.st_mode)) {
    return refuse(": exists, and is not a regular file");
  }
  place_.there = there;
  const Result<void> may = CheckMayReplace(place_, pending_);
  if (!may.ok()) return refuse(": " + may.error().message);
  if (::faccessat(place_.folder->get(), place_.name.c_str(), W_OK, 0) != 0) {
    return ErrnoError(ErrorCode::kIo, place_.name + ": cannot write");
  }
  TakeAfter(fd_.get(), there);
  return {};
}

Result<void> OutputFile::WriteCopyOf(int fd) {
  std::vector<std::byte> bytes(size_t{1} << 20);
  if (::lseek(fd, 0, SEEK_SET) != 0) {
    return ErrnoError(ErrorCode::kIo, "cannot read the temporary copy");
  }
  for (;;) {
    HALFTONED_TRY_ASSIGN(const size_t got, ReadFully(fd, bytes));
    HALFTONED_TRY(Write(std::span(bytes).first(got)));
    if (got < bytes.size()) return {};
  }
}

// Whether both names still mean the files that they meant at the beginning.
// Between this check and the renaming, only users who may put any file there
// themselves can change that.
Result<void> OutputFile::CheckIsOurs() const {
  struct stat ours;
  struct stat named;
  const int folder = place_.folder->get();
  if (::fstat(fd_.get(), &ours) != 0 ||
      ::fstatat(folder, temporary_.c_str(), &named, AT_SYMLINK_NOFOLLOW) != 0 ||
      !IsSame(ours, named)) {
    return IoError("cannot be put in place: its temporary file is gone");
  }
  if (::fstatat(folder, place_.name.c_str(), &named, AT_SYMLINK_NOFOLLOW) !=
      0) {
    return {};
  }
  if (place_.there && IsSame(*place_.there, named)) return {};
  return IoError("has been created or replaced by another program meanwhile");
}

Result<void> OutputFile::Commit() {
  if (temporary_.empty()) return {};
  if (::fsync(fd_.get()) != 0) {
    return ErrnoError(ErrorCode::kIo, "cannot write");
  }
  HALFTONED_TRY(CheckIsOurs());
  // Allocated first: after the rename nothing may fail for lack of memory.
  HALFTONED_TRY(pending_.Keep(place_.folder, temporary_, place_.name));
  temporary_.clear();
  return SyncFolder(*place_.folder);
}

}  // namespace halftoned
