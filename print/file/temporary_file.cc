// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/file/temporary_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <random>
#include <vector>

namespace halftoned {

std::string RandomName(const char* start) {
  std::random_device random;
  std::string name = start;
  for (int i = 0; i < 10; ++i) name += static_cast<char>('a' + random() % 26);
  return name;
}

Result<Descriptor> MakeTemporaryFile() {
  const char* named = std::getenv("TMPDIR");
  const std::string path = named && *named ? named : "/tmp";
  const auto failed = [&] {
    return ErrnoError(ErrorCode::kIo, "cannot create a file in " + path);
  };
  const Descriptor folder(
      ::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!folder.open()) return failed();
  Descriptor fd(::openat(folder.get(), ".",
                         O_RDWR | O_TMPFILE | O_EXCL | O_CLOEXEC, 0600));
  if (fd.open()) return fd;
  // Not every file system supports unnamed files.
  for (;;) {
    const std::string name = RandomName("halftone-");
    fd = Descriptor(::openat(folder.get(), name.c_str(),
                             O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!fd.open() && errno == EEXIST) continue;
    if (!fd.open()) return failed();
    ::unlinkat(folder.get(), name.c_str(), 0);
    return fd;
  }
}

Result<GrantedFile> MakeGrantedFile(int64_t bytes, const TakeDisk& take_disk) {
  GrantedFile made;
  HALFTONED_TRY_ASSIGN(made.file, MakeTemporaryFile());
  if (take_disk) {
    HALFTONED_TRY_ASSIGN(made.space, take_disk(made.get(), bytes));
  }
  return made;
}

Result<Descriptor> CopyToTemporaryFile(InputFile& file) {
  HALFTONED_TRY_ASSIGN(Descriptor copy, MakeTemporaryFile());
  std::vector<std::byte> bytes(size_t{1} << 20);
  for (;;) {
    HALFTONED_TRY_ASSIGN(const size_t got, file.ReadSome(bytes));
    if (auto put = WriteFully(copy.get(), std::span(bytes).first(got));
        !put.ok()) {
      return IoError("cannot make a temporary copy: " + put.error().message);
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
    if (put == 0) return IoError("cannot write: no bytes were written");
    offset += put;
    bytes = bytes.subspan(static_cast<size_t>(put));
  }
  return {};
}

}  // namespace halftoned
