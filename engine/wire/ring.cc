// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "wire/ring.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <string>

namespace halftoned::wire {
namespace {

constexpr int kSizeSeals = F_SEAL_SHRINK | F_SEAL_GROW;
// With these, only existing mappings can write, and no holes can be punched
// into the file.
constexpr int kWriterSeals = F_SEAL_FUTURE_WRITE | F_SEAL_SEAL;

// A file with all its memory allocated.
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
        "cannot get " + std::to_string(bytes) + " bytes of shared memory");
  }
  return file;
}

Result<void> Seal(const Descriptor& file, int seals) {
  if (::fcntl(file.get(), F_ADD_SEALS, seals) == 0) return {};
  return ErrnoError(ErrorCode::kUnavailable, "cannot seal shared memory");
}

Result<void> CheckKind(const Descriptor& file, int seals) {
  const int there = ::fcntl(file.get(), F_GET_SEALS);
  if (there < 0 || (there & seals) != seals) {
    return BadInput("a file of the shared-memory buffer is not sealed");
  }
  // Part of a file in huge pages can be mapped, but not unmapped.
  struct statfs system;
  if (::fstatfs(file.get(), &system) != 0 || system.f_type != TMPFS_MAGIC) {
    return BadInput(
        "a file of the shared-memory buffer is not in ordinary memory");
  }
  return {};
}

// Precondition: the file is sealed. Missing memory would be allocated by this
// process. Blocks are not counted: some may lie beyond the end of the file.
Result<void> CheckMemory(const Descriptor& file, size_t bytes) {
  struct stat status;
  if (::fstat(file.get(), &status) != 0 ||
      static_cast<uint64_t>(status.st_size) != bytes) {
    return BadInput(
        "a file of the shared-memory buffer does not have the announced size");
  }
  if (::lseek(file.get(), 0, SEEK_HOLE) != status.st_size) {
    return BadInput("a file of the shared-memory buffer has holes");
  }
  return {};
}

}  // namespace

Result<MadeRing> MakeRing(const Ring& sizes) {
  MadeRing ring;
  HALFTONED_TRY_ASSIGN(ring.gray, MakeFile("halftoned-gray", sizes.gray_bytes));
  HALFTONED_TRY_ASSIGN(ring.bits, MakeFile("halftoned-bits", sizes.bits_bytes));
  // Mapped before the seal: an existing mapping stays writable.
  HALFTONED_TRY_ASSIGN(
      ring.memory.gray,
      Mapping::OfFile(ring.gray.get(), sizes.gray_bytes, true));
  HALFTONED_TRY_ASSIGN(
      ring.memory.bits,
      Mapping::OfFile(ring.bits.get(), sizes.bits_bytes, false));
  HALFTONED_TRY(Seal(ring.gray, kSizeSeals | kWriterSeals));
  HALFTONED_TRY(Seal(ring.bits, kSizeSeals));
  ring.memory.gray.Populate();
  ring.memory.bits.Populate();
  return ring;
}

Result<RingMemory> AdoptRing(const Ring& sizes,
                             std::span<const Descriptor> files) {
  if (files.size() != 2) {
    return BadInput("a shared-memory buffer of " +
                    std::to_string(files.size()) + " files instead of two");
  }
  HALFTONED_TRY(CheckKind(files[0], kSizeSeals | kWriterSeals));
  HALFTONED_TRY(CheckKind(files[1], kSizeSeals));
  HALFTONED_TRY(CheckMemory(files[0], sizes.gray_bytes));
  RingMemory memory;
  HALFTONED_TRY_ASSIGN(
      memory.gray, Mapping::OfFile(files[0].get(), sizes.gray_bytes, false));
  HALFTONED_TRY_ASSIGN(memory.bits,
                       Mapping::OfFile(files[1].get(), sizes.bits_bytes, true));
  // Like the client's gray: map, then seal, and only then check.
  if (!Seal(files[1], kWriterSeals).ok()) {
    return BadInput("a file of the shared-memory buffer cannot be sealed");
  }
  HALFTONED_TRY(CheckMemory(files[1], sizes.bits_bytes));
  // Pages enter the page table when they are first used. Entering all of them
  // here would delay the thread that serves other clients.
  return memory;
}

}  // namespace halftoned::wire
