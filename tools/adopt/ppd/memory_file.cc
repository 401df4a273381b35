// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adopt/ppd/memory_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <span>

namespace halftoned {
namespace {

constexpr off_t kMaxBytes = off_t{16} << 20;

Error NoMemory() {
  return ErrnoError(ErrorCode::kIo, "cannot create a file in memory");
}

}  // namespace

Result<Descriptor> MemoryFile(std::string_view text) {
  Descriptor file(::memfd_create("ppd", MFD_CLOEXEC));
  if (!file.open()) return NoMemory();
  HALFTONED_TRY(WriteFully(file.get(), std::as_bytes(std::span(text))));
  if (::lseek(file.get(), 0, SEEK_SET) != 0) return NoMemory();
  return file;
}

Result<std::string> TextOf(const Descriptor& file) {
  const off_t size = ::lseek(file.get(), 0, SEEK_END);
  if (size < 0 || ::lseek(file.get(), 0, SEEK_SET) != 0) return NoMemory();
  if (size > kMaxBytes) return BadInput("its PPD file is larger than 16 MiB");
  std::string text(static_cast<size_t>(size), '\0');
  HALFTONED_TRY_ASSIGN(
      const size_t bytes,
      ReadFully(file.get(), std::as_writable_bytes(std::span(text))));
  text.resize(bytes);
  return text;
}

}  // namespace halftoned
