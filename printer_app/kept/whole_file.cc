// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/kept/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <span>

#include "base/descriptor.h"

namespace halftoned {
namespace {

// More than any number of printers needs.
constexpr off_t kMostBytes = off_t{64} << 20;

Result<void> Write(const std::string& path, std::string_view text) {
  unlink(path.c_str());
  HALFTONED_TRY_ASSIGN(
      const Descriptor file,
      Descriptor::Open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600));
  const Result<void> done =
      WriteFully(file.get(), std::as_bytes(std::span(text)));
  return done.ok() ? done : IoError(path + ": " + done.error().message);
}

}  // namespace

Result<std::string> ReadWhole(const std::string& path) {
  HALFTONED_TRY_ASSIGN(const Descriptor file,
                       Descriptor::Open(path, O_RDONLY | O_NONBLOCK));
  struct stat status;
  if (fstat(file.get(), &status) != 0) return ErrnoError(ErrorCode::kIo, path);
  if (!S_ISREG(status.st_mode)) return BadInput(path + ": is not a file");
  if (status.st_size > kMostBytes) {
    return BadInput(path + ": is larger than 64 MiB");
  }
  std::string text(static_cast<size_t>(status.st_size), '\0');
  const Result<size_t> size =
      ReadFully(file.get(), std::as_writable_bytes(std::span(text)));
  if (!size.ok()) return IoError(path + ": " + size.error().message);
  text.resize(*size);
  return text;
}

Result<void> WriteWhole(const std::string& path, std::string_view text) {
  const std::string next = path + std::string(kNext);
  Result<void> done = Write(next, text);
  if (done.ok() && std::rename(next.c_str(), path.c_str()) != 0) {
    done = ErrnoError(ErrorCode::kIo, path);
  }
  if (!done.ok()) unlink(next.c_str());
  return done;
}

}  // namespace halftoned
