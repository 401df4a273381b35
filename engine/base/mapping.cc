// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/mapping.h"

#include <sys/mman.h>

#include "base/descriptor.h"

namespace halftoned {

Result<Mapping> Mapping::OfFile(int fd, size_t bytes, bool writable) {
  const int protection = writable ? PROT_READ | PROT_WRITE : PROT_READ;
  // Populated at once: a fault for each page costs more than all of them do.
  void* data =
      ::mmap(nullptr, bytes, protection, MAP_SHARED | MAP_POPULATE, fd, 0);
  if (data == MAP_FAILED) {
    return ErrnoError(ErrorCode::kUnavailable, "cannot map memory");
  }
  return Mapping(static_cast<std::byte*>(data), bytes);
}

void Mapping::Unmap() {
  if (data_) ::munmap(data_, size_);
}

}  // namespace halftoned
