// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/file/shared_reads.h"

#include <algorithm>
#include <new>
#include <utility>

#include "print/file/temporary_file.h"

namespace halftoned {
namespace {

// A part takes a core some 50 µs, about as long as waking a thread.
constexpr size_t kPartBytes = size_t{256} << 10;

// More threads gain little, since they share the memory's bandwidth.
constexpr size_t kMostHelpers = 3;

// Pool threads must not throw.
Result<void> ReadPart(int fd, int64_t offset, std::span<std::byte> room) {
  try {
    return ReadAt(fd, offset, room);
  } catch (const std::bad_alloc&) {
    return Unavailable("out of memory");
  }
}

}  // namespace

Result<void> SharedReads::Read(int fd, int64_t offset,
                               std::span<std::byte> room) {
  if (room.size() < kBytesWorthSharing) return ReadAt(fd, offset, room);
  std::unique_lock lock(mutex_);
  left_ = {fd, offset, room};
  CallHelpers();
  ReadParts(lock);
  done_.wait(lock, [this] { return reading_ == 0; });
  if (error_) return *std::exchange(error_, std::nullopt);
  return {};
}

// A helper that starts late finds nothing to do, or parts of a later read.
void SharedReads::CallHelpers() {
  const int spare = queue_.SpareThreads();
  const size_t most = std::min(kMostHelpers, size_t(std::max(spare, 0)));
  const auto help = [this] {
    std::unique_lock lock(mutex_);
    ReadParts(lock);
    --helpers_;
  };
  try {
    while (helpers_ < most && queue_.TryPush(help)) ++helpers_;
  } catch (const std::bad_alloc&) {
    // The helpers that have been called suffice.
  }
}

// Parts begin in order: all parts before a failed one have begun, too.
void SharedReads::ReadParts(std::unique_lock<std::mutex>& lock) {
  ++reading_;
  while (!left_.room.empty()) {
    const size_t bytes = std::min(left_.room.size(), kPartBytes);
    const Part part{left_.fd, left_.offset, left_.room.first(bytes)};
    left_.offset += static_cast<int64_t>(bytes);
    left_.room = left_.room.subspan(bytes);
    lock.unlock();
    const auto read = ReadPart(part.fd, part.offset, part.room);
    lock.lock();
    if (read.ok()) continue;
    left_.room = {};
    if (error_ && error_offset_ < part.offset) continue;
    error_ = read.error();
    error_offset_ = part.offset;
  }
  if (--reading_ == 0) done_.notify_one();
}

}  // namespace halftoned
