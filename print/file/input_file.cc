// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/file/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace halftoned {

namespace {

std::optional<FileIdentity> IdentityOf(int failed, const struct stat& status) {
  if (failed || !S_ISREG(status.st_mode)) return std::nullopt;
  return FileIdentity{status.st_dev, status.st_ino};
}

}  // namespace

std::optional<FileIdentity> FileIdentity::Look(const std::string& path) {
  struct stat status;
  const int failed = ::stat(path.c_str(), &status);
  return IdentityOf(failed, status);
}

std::optional<FileIdentity> FileIdentity::Look(int fd) {
  struct stat status;
  const int failed = ::fstat(fd, &status);
  return IdentityOf(failed, status);
}

Result<InputFile> InputFile::Open(const std::string& path) {
  if (path == "-") {
    // A copy, so that closing it leaves standard input open.
    Descriptor copy(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0));
    if (!copy.open()) return IoError("standard input is closed");
    return FromDescriptor(std::move(copy));
  }
  for (;;) {
    Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
    if (fd.open()) return FromDescriptor(std::move(fd));
    if (errno != EINTR) return ErrnoError(ErrorCode::kIo, "cannot open");
  }
}

Result<InputFile> InputFile::FromDescriptor(Descriptor fd) {
  struct stat status;
  if (::fstat(fd.get(), &status) != 0) {
    return ErrnoError(ErrorCode::kIo, "cannot read");
  }
  if (S_ISDIR(status.st_mode)) return IoError("is a directory");
  InputFile file;
  if (S_ISREG(status.st_mode) && ::lseek(fd.get(), 0, SEEK_CUR) == 0) {
    file.is_seekable_ = true;
    file.size_ = status.st_size;
  }
  file.fd_ = std::move(fd);
  return file;
}

Result<std::span<const std::byte>> InputFile::Peek(size_t bytes) {
  if (buffer_.empty()) buffer_.resize(kBufferBytes);
  if (end_ - next_ < bytes) {
    std::memmove(buffer_.data(), buffer_.data() + next_, end_ - next_);
    end_ -= std::exchange(next_, 0);
    const std::span room(buffer_.data() + end_, bytes - end_);
    HALFTONED_TRY_ASSIGN(const size_t got, ReadFully(fd_.get(), room));
    end_ += got;
  }
  return std::span<const std::byte>(buffer_.data() + next_,
                                    std::min(bytes, end_ - next_));
}

size_t InputFile::TakeBuffered(std::span<std::byte> room) {
  const size_t buffered = std::min(room.size(), end_ - next_);
  if (buffered > 0) std::memcpy(room.data(), &buffer_[next_], buffered);
  next_ += buffered;
  return buffered;
}

Result<size_t> InputFile::ReadSome(std::span<std::byte> room) {
  HALFTONED_TRY(CheckCanceled());
  const size_t buffered = TakeBuffered(room);
  HALFTONED_TRY_ASSIGN(const size_t got,
                       ReadFully(fd_.get(), room.subspan(buffered)));
  return buffered + got;
}

Result<void> InputFile::ReadShared(std::span<std::byte> room) {
  const std::span rest = room.subspan(TakeBuffered(room));
  const off_t here = ::lseek(fd_.get(), 0, SEEK_CUR);
  if (here < 0) return ErrnoError(ErrorCode::kIo, "cannot read");
  HALFTONED_TRY(shared_reads_->Read(fd_.get(), here, rest));
  const auto bytes = static_cast<off_t>(rest.size());
  if (::lseek(fd_.get(), bytes, SEEK_CUR) >= 0) return {};
  return ErrnoError(ErrorCode::kIo, "cannot read");
}

Result<void> InputFile::Read(std::span<std::byte> room) {
  if (is_seekable_ && shared_reads_ &&
      room.size() >= SharedReads::kBytesWorthSharing) {
    return ReadShared(room);
  }
  HALFTONED_TRY_ASSIGN(const size_t got, ReadSome(room));
  if (got < room.size()) return BadInput("ends too early");
  return {};
}

Result<int> InputFile::RefillAndReadByte() {
  if (buffer_.empty()) buffer_.resize(kBufferBytes);
  next_ = end_ = 0;
  for (;;) {
    const ssize_t got = ::read(fd_.get(), buffer_.data(), buffer_.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return ErrnoError(ErrorCode::kIo, "cannot read");
    if (got == 0) return -1;
    end_ = static_cast<size_t>(got);
    return std::to_integer<int>(buffer_[next_++]);
  }
}

}  // namespace halftoned
