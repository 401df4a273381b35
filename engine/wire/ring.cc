// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "wire/ring.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <string>

namespace halftoned::wire {
namespace {

constexpr int kBitsSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
// Neither can memory be taken out of the file, nor can anybody else write.
constexpr int kGraySeals = kBitsSeals | F_SEAL_FUTURE_WRITE;

// A file with all its memory.
Result<Descriptor> MakeFile(const char* name, size_t bytes) {
  Descriptor file(::memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file.open()) {
    return ErrnoError(ErrorCode::kUnavailable, "cannot make shared memory");
  }
  int failed;
  do {
    failed = ::fallocate(file.get(), 0, 0, static_cast<off_t>(bytes));
  } while (failed != 0 && errno == EINTR);
  if (failed != 0) {
    return ErrnoError(
        ErrorCode::kUnavailable,
        "no shared memory of " + std::to_string(bytes) + " bytes");
  }
  return file;
}

Result<void> Seal(const Descriptor& file, int seals) {
  if (::fcntl(file.get(), F_ADD_SEALS, seals) == 0) return {};
  return ErrnoError(ErrorCode::kUnavailable, "cannot seal shared memory");
}

Result<void> CheckFile(const Descriptor& file, size_t bytes, int seals) {
  struct stat status;
  if (::fstat(file.get(), &status) != 0 ||
      static_cast<uint64_t>(status.st_size) < bytes) {
    return BadInput("a file of the ring is smaller than announced");
  }
  const int there = ::fcntl(file.get(), F_GET_SEALS);
  if (there < 0 || (there & seals) != seals) {
    return BadInput("a file of the ring is not sealed");
  }
  return {};
}

}  // namespace

Result<MadeRing> MakeRing(const Ring& sizes) {
  MadeRing ring;
  HALFTONED_TRY_ASSIGN(ring.gray, MakeFile("halftoned-gray", sizes.gray_bytes));
  HALFTONED_TRY_ASSIGN(ring.bits, MakeFile("halftoned-bits", sizes.bits_bytes));
  // Before the seal: what is mapped to be written to stays so.
  HALFTONED_TRY_ASSIGN(
      ring.memory.gray,
      Mapping::OfFile(ring.gray.get(), sizes.gray_bytes, true));
  HALFTONED_TRY_ASSIGN(
      ring.memory.bits,
      Mapping::OfFile(ring.bits.get(), sizes.bits_bytes, false));
  HALFTONED_TRY(Seal(ring.gray, kGraySeals));
  HALFTONED_TRY(Seal(ring.bits, kBitsSeals));
  return ring;
}

Result<RingMemory> AdoptRing(const Ring& sizes,
                             std::span<const Descriptor> files) {
  if (files.size() != 2) {
    return BadInput("a ring of " + std::to_string(files.size()) +
                    " files, not of two");
  }
  HALFTONED_TRY(CheckFile(files[0], sizes.gray_bytes, kGraySeals));
  HALFTONED_TRY(CheckFile(files[1], sizes.bits_bytes, kBitsSeals));
  RingMemory memory;
  HALFTONED_TRY_ASSIGN(
      memory.gray, Mapping::OfFile(files[0].get(), sizes.gray_bytes, false));
  HALFTONED_TRY_ASSIGN(memory.bits,
                       Mapping::OfFile(files[1].get(), sizes.bits_bytes, true));
  return memory;
}

}  // namespace halftoned::wire
