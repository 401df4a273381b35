// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "file/temporary_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <vector>

namespace halftoned {

Result<Descriptor> MakeTemporaryFile() {
  const char* named = std::getenv("TMPDIR");
  const std::string folder = named && *named ? named : "/tmp";
  Descriptor fd(
      ::open(folder.c_str(), O_RDWR | O_TMPFILE | O_EXCL | O_CLOEXEC, 0600));
  if (fd.open()) return fd;
  // Not every file system has files without a name.
  std::string name = folder + "/halftone-XXXXXX";
  fd = Descriptor(::mkostemp(name.data(), O_CLOEXEC));
  if (!fd.open()) {
    return ErrnoError(ErrorCode::kIo, "cannot create a file in " + folder);
  }
  ::unlink(name.c_str());
  return fd;
}

Result<Descriptor> CopyToTemporaryFile(InputFile& file) {
  HALFTONED_TRY_ASSIGN(Descriptor copy, MakeTemporaryFile());
  std::vector<std::byte> bytes(size_t{1} << 20);
  for (;;) {
    HALFTONED_TRY_ASSIGN(const size_t got, file.ReadSome(bytes));
    if (auto put = WriteFully(copy.get(), std::span(bytes).first(got));
        !put.ok()) {
      return IoError("no room for a temporary copy: " + put.error().message);
    }
    if (got < bytes.size()) return copy;
  }
}

Result<void> ReadAt(int fd, int64_t offset, std::span<std::byte> room) {
  while (!room.empty()) {
    const ssize_t got = ::pread(fd, room.data(), room.size(), offset);
    if (got == 0) return BadInput("ends too early");
    if (got < 0) {
      if (errno == EINTR) continue;
      return ErrnoError(ErrorCode::kIo, "cannot read");
    }
    offset += got;
    room = room.subspan(static_cast<size_t>(got));
  }
  return {};
}

Result<void> WriteAt(int fd, int64_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::pwrite(fd, bytes.data(), bytes.size(), offset);
    if (put < 0) {
      if (errno == EINTR) continue;
      return ErrnoError(ErrorCode::kIo, "cannot write");
    }
    if (put == 0) return IoError("cannot write: nothing is taken");
    offset += put;
    bytes = bytes.subspan(static_cast<size_t>(put));
  }
  return {};
}

}  // namespace halftoned
