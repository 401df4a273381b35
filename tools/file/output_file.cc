// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "file/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <random>
#include <utility>

namespace halftoned {
namespace {

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

// The file that `path` leads to in the end, through links.
std::string Resolve(const std::string& path) {
  char* resolved = ::realpath(path.c_str(), nullptr);
  if (!resolved) return path;
  std::string result = resolved;
  std::free(resolved);
  return result;
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
    return CreateBeside(path, pending);
  }
  if (S_ISDIR(status.st_mode)) return IoError("is a directory");
  if (::access(path.c_str(), W_OK) != 0) {
    return ErrnoError(ErrorCode::kIo, "cannot write");
  }
  if (S_ISREG(status.st_mode)) {
    HALFTONED_TRY_ASSIGN(auto file, CreateBeside(Resolve(path), pending));
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
