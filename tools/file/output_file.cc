// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "file/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <random>
#include <utility>

namespace halftoned {
namespace {

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

std::string TemporaryName(const std::string& folder) {
  std::random_device random;
  std::string name = folder + ".halftone-";
  for (int i = 0; i < 10; ++i) name += static_cast<char>('a' + random() % 26);
  return name;
}

// The new file becomes its predecessor's equal. Where its group cannot, that
// group's permissions must not pass to another one.
void TakeAfter(int fd, const struct stat& old) {
  mode_t mode = old.st_mode & 0777;
  constexpr auto kAnyUser = static_cast<uid_t>(-1);
  if (::fchown(fd, old.st_uid, old.st_gid) != 0 &&
      ::fchown(fd, kAnyUser, old.st_gid) != 0) {
    mode &= 0707 | (mode & 07) << 3;
  }
  ::fchmod(fd, mode);
}

// A new name lasts only when its folder does. Some file systems, and folders
// that may not be read, cannot be asked for it.
Result<void> SyncFolder(const std::string& folder) {
  const Descriptor fd(::open(folder.empty() ? "." : folder.c_str(),
                             O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd.open() || ::fsync(fd.get()) == 0 || errno == EINVAL) return {};
  return ErrnoError(ErrorCode::kIo, "is in place, but its folder is not safe");
}

}  // namespace

Result<std::string> OutputFile::TargetOf(std::string path) {
  constexpr int kMaxLinks = 40;  // as many as the system follows
  for (int i = 0; i <= kMaxLinks; ++i) {
    char target[PATH_MAX];
    const ssize_t length = ::readlink(path.c_str(), target, sizeof(target));
    if (length < 0) return path;
    if (size_t(length) == sizeof(target)) break;
    const std::string link(target, size_t(length));
    path = link.starts_with('/') ? link : FolderOf(path) + link;
  }
  return IoError("leads through too many links");
}

Result<std::unique_ptr<OutputFile>> OutputFile::Create(const std::string& path,
                                                       PendingFiles& pending) {
  if (path == "-") {
    Descriptor copy(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0));
    if (!copy.open()) return IoError("standard output is closed");
    return std::unique_ptr<OutputFile>(
        new OutputFile(pending, std::move(copy)));
  }
  struct stat status;
  if (::stat(path.c_str(), &status) != 0) {
    if (errno != ENOENT) return ErrnoError(ErrorCode::kIo, "cannot create");
    HALFTONED_TRY_ASSIGN(const std::string target, TargetOf(path));
    return CreateBeside(target, 0666, pending);
  }
  if (S_ISDIR(status.st_mode)) return IoError("is a directory");
  if (::access(path.c_str(), W_OK) != 0) {
    return ErrnoError(ErrorCode::kIo, "cannot write");
  }
  if (S_ISREG(status.st_mode)) {
    HALFTONED_TRY_ASSIGN(const std::string target, TargetOf(path));
    HALFTONED_TRY_ASSIGN(auto file, CreateBeside(target, 0600, pending));
    TakeAfter(file->fd(), status);
    return file;
  }
  Descriptor fd(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
  if (!fd.open()) return ErrnoError(ErrorCode::kIo, "cannot write");
  return std::unique_ptr<OutputFile>(new OutputFile(pending, std::move(fd)));
}

Result<std::unique_ptr<OutputFile>> OutputFile::CreateBeside(
    const std::string& target, mode_t mode, PendingFiles& pending) {
  for (;;) {
    const std::string temporary = TemporaryName(FolderOf(target));
    auto fd = pending.Create(temporary, mode);
    if (!fd.ok() && fd.error().code == ErrorCode::kUnavailable) continue;
    if (!fd.ok()) return fd.error();
    std::unique_ptr<OutputFile> file(new OutputFile(pending, std::move(*fd)));
    file->temporary_ = temporary;
    file->target_ = target;
    return file;
  }
}

OutputFile::~OutputFile() {
  if (!temporary_.empty()) pending_.Delete(temporary_);
}

Result<void> OutputFile::Write(std::span<const std::byte> bytes) {
  return WriteFully(fd_.get(), bytes);
}

Result<void> OutputFile::Commit() {
  if (temporary_.empty()) return {};
  if (::fsync(fd_.get()) != 0) {
    return ErrnoError(ErrorCode::kIo, "cannot write");
  }
  // Once the file has its name, nothing is left that needs memory.
  const std::string folder = FolderOf(target_);
  HALFTONED_TRY(pending_.Keep(temporary_, target_));
  temporary_.clear();
  return SyncFolder(folder);
}

}  // namespace halftoned
