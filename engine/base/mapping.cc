// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/mapping.h"

#include <sys/mman.h>

#include <cerrno>

#include "base/descriptor.h"

namespace halftoned {

Result<Mapping> Mapping::OfFile(int fd, size_t bytes, bool writable) {
  const int protection = writable ? PROT_READ | PROT_WRITE : PROT_READ;
  void* data = ::mmap(nullptr, bytes, protection, MAP_SHARED, fd, 0);
  if (data == MAP_FAILED) {
    return ErrnoError(ErrorCode::kUnavailable, "cannot map memory");
  }
  return Mapping(static_cast<std::byte*>(data), bytes, writable);
}

void Mapping::Populate() const {
  if (::madvise(data_, size_,
                writable_ ? MADV_POPULATE_WRITE : MADV_POPULATE_READ) != 0 &&
      errno != EINVAL) {
    return;
  }
  // Linux before 5.14 does not know this advice, and qemu-user ignores it.
  const volatile std::byte* bytes = data_;
  for (size_t at = 0; at < size_; at += 4096) (void)bytes[at];
}

void Mapping::Unmap() {
  if (data_) ::munmap(data_, size_);
}

}  // namespace halftoned
