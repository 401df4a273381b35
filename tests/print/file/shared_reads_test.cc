// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file replaces pread, so that a read fails where a test wants it, or
// waits for another thread.

#include "print/file/shared_reads.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <mutex>
#include <vector>

#include "base/descriptor.h"
#include "halftone/run/pool.h"

namespace {

std::atomic<int64_t> broken_from = std::numeric_limits<int64_t>::max();
std::function<void()> on_read;

}  // namespace

extern "C" ssize_t pread(int fd, void* room, size_t bytes, off_t offset) {
  if (on_read) on_read();
  if (offset + static_cast<off_t>(bytes) > broken_from) {
    errno = EIO;
    return -1;
  }
  return ::syscall(SYS_pread64, fd, room, bytes, offset);
}

namespace halftoned {
namespace {

using Bytes = std::vector<std::byte>;

constexpr size_t kLeast = SharedReads::kBytesWorthSharing;

class SharedReadsTest : public ::testing::Test {
 protected:
  static constexpr size_t kFileBytes = 3 * kLeast + 4321;

  void SetUp() override {
    bytes_.resize(kFileBytes);
    uint32_t state = 1;
    for (std::byte& each : bytes_) {
      state = state * 1103515245 + 12345;
      each = static_cast<std::byte>(state >> 16);
    }
    ASSERT_TRUE(WriteFully(file_.get(), bytes_).ok());
  }
  void TearDown() override {
    broken_from = std::numeric_limits<int64_t>::max();
    on_read = nullptr;
  }

  // Whether it reads what the file has there.
  bool ReadsRight(SharedReads& reads, size_t offset, size_t bytes) {
    Bytes room(bytes);
    const auto read =
        reads.Read(file_.get(), static_cast<int64_t>(offset), room);
    return read.ok() && std::equal(room.begin(), room.end(),
                                   bytes_.begin() + ptrdiff_t(offset));
  }

  std::string ErrorOf(SharedReads& reads, size_t offset, size_t bytes) {
    Bytes room(bytes);
    const auto read =
        reads.Read(file_.get(), static_cast<int64_t>(offset), room);
    return read.ok() ? "" : read.error().message;
  }

  const Descriptor file_{::memfd_create("reads", MFD_CLOEXEC)};
  Bytes bytes_;
};

TEST_F(SharedReadsTest, GiveTheFilesBytes) {
  for (int threads : {Pool::kCallersThread, 1, 2, 16}) {
    Pool pool(threads);
    SharedReads reads(pool);
    for (size_t bytes : {size_t{0}, size_t{1}, kLeast - 1, kLeast, kLeast + 1,
                         2 * kLeast + 77, kFileBytes}) {
      for (size_t offset : {size_t{0}, size_t{13}}) {
        if (offset + bytes > kFileBytes) continue;
        EXPECT_TRUE(ReadsRight(reads, offset, bytes))
            << threads << ' ' << bytes;
      }
    }
  }
}

TEST_F(SharedReadsTest, AreSharedBetweenThreads) {
  std::mutex mutex;
  std::condition_variable met;
  int reading = 0;
  // No thread goes on before there are two.
  on_read = [&] {
    std::unique_lock lock(mutex);
    ++reading;
    met.notify_all();
    met.wait(lock, [&] { return reading >= 2; });
  };
  Pool pool(4);
  SharedReads reads(pool);
  EXPECT_TRUE(ReadsRight(reads, 0, kLeast));
}

TEST_F(SharedReadsTest, NeedNoThreadThatIsBusy) {
  Pool pool(1);
  std::mutex held;
  std::unique_lock hold(held);
  Pool::Queue busy(pool);
  busy.Push([&] { const std::lock_guard wait(held); });
  SharedReads reads(pool);
  EXPECT_TRUE(ReadsRight(reads, 5, 2 * kLeast));
  hold.unlock();
}

TEST_F(SharedReadsTest, ReportTheEndOfTheFile) {
  Pool pool(4);
  SharedReads reads(pool);
  for (size_t missing : {size_t{1}, kLeast, 2 * kLeast}) {
    const size_t offset = kFileBytes - 2 * kLeast + missing;
    EXPECT_EQ(ErrorOf(reads, offset, 2 * kLeast), "ends too early");
    EXPECT_TRUE(ReadsRight(reads, 1, 2 * kLeast));
  }
  Bytes room(kLeast);
  const auto read = reads.Read(file_.get(), kFileBytes, room);
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code, ErrorCode::kBadInput);
}

TEST_F(SharedReadsTest, FailAsReadingInOrderWould) {
  Pool pool(8);
  SharedReads reads(pool);
  broken_from = kFileBytes - 1000;
  for (int i = 0; i < 50; ++i) {
    const std::string error = ErrorOf(reads, kLeast, 3 * kLeast);
    EXPECT_TRUE(error.starts_with("cannot read: ")) << error;
  }
  broken_from = kFileBytes + kLeast / 2;
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(ErrorOf(reads, kLeast, 3 * kLeast), "ends too early");
  }
}

}  // namespace
}  // namespace halftoned
