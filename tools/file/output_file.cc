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

// The file that `path` leads to in the end, through links, whether it is there
// or not.
Result<std::string> Resolve(std::string path) {
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

std::string TemporaryName(const std::string& folder) {
  std::random_device random;
  std::string name = folder + ".halftone-";
  for (int i = 0; i < 10; ++i) name += static_cast<char>('a' + random() % 26);
  return name;
}

}  // namespace

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
    HALFTONED_TRY_ASSIGN(const std::string target, Resolve(path));
    return CreateBeside(target, pending);
  }
  if (S_ISDIR(status.st_mode)) return IoError("is a directory");
  if (::access(path.c_str(), W_OK) != 0) {
    return ErrnoError(ErrorCode::kIo, "cannot write");
  }
  if (S_ISREG(status.st_mode)) {
    HALFTONED_TRY_ASSIGN(const std::string target, Resolve(path));
    HALFTONED_TRY_ASSIGN(auto file, CreateBeside(target, pending));
    ::fchmod(file->fd(), status.st_mode & 07777);
    return file;
  }
  Descriptor fd(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
  if (!fd.open()) return ErrnoError(ErrorCode::kIo, "cannot write");
  return std::unique_ptr<OutputFile>(new OutputFile(pending, std::move(fd)));
}

Result<std::unique_ptr<OutputFile>> OutputFile::CreateBeside(
    const std::string& target, PendingFiles& pending) {
  for (;;) {
    const std::string temporary = TemporaryName(FolderOf(target));
    auto fd = pending.Create(temporary);
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
  HALFTONED_TRY(pending_.Keep(temporary_, target_));
  temporary_.clear();
  return {};
}

}  // namespace halftoned
