// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/descriptor.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

namespace halftoned {

Result<Descriptor> Descriptor::Open(const std::string& path, int flags,
                                    unsigned mode) {
  for (;;) {
    const int fd = ::open(path.c_str(), flags | O_CLOEXEC, mode);
    if (fd >= 0) return Descriptor(fd);
    if (errno != EINTR) return ErrnoError(ErrorCode::kIo, path);
  }
}

void Descriptor::Close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

void OpenStandardDescriptors() {
  for (int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(fd, F_GETFD) >= 0 || errno != EBADF) continue;
    // open(2) takes the lowest number that is free, which is this one.
    [[maybe_unused]] const int opened = ::open("/dev/null", O_RDONLY);
  }
}

Error ErrnoError(ErrorCode code, const std::string& what) {
  return {code, what + ": " + std::generic_category().message(errno)};
}

Result<size_t> ReadFully(int fd, std::span<std::byte> room) {
  size_t filled = 0;
  while (filled < room.size()) {
    const ssize_t got = ::read(fd, room.data() + filled, room.size() - filled);
    if (got == 0) break;
    if (got < 0) {
      if (errno == EINTR) continue;
      return ErrnoError(ErrorCode::kIo, "cannot read");
    }
    filled += static_cast<size_t>(got);
  }
  return filled;
}

Result<void> WriteFully(int fd, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(fd, bytes.data(), bytes.size());
    if (put < 0) {
      if (errno == EINTR) continue;
      return ErrnoError(ErrorCode::kIo, "cannot write");
    }
    if (put == 0) return IoError("cannot write: no bytes are accepted");
    bytes = bytes.subspan(static_cast<size_t>(put));
  }
  return {};
}

Result<void> FlushStandardOutput() {
  // Not a std::string: a finished job must not fail for lack of memory.
  constexpr const char* kWhat = "standard output: cannot write";
  // If an earlier write failed, its reason is lost.
  Result<void> result;
  if (std::ferror(stdout) != 0) result = IoError(kWhat);
  if (std::fflush(stdout) != 0) result = ErrnoError(ErrorCode::kIo, kWhat);
  std::clearerr(stdout);
  return result;
}

}  // namespace halftoned
