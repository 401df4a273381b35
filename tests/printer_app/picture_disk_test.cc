// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/pictures/picture_disk.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <atomic>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/descriptor.h"

namespace halftoned {
namespace {

constexpr int64_t kWhole = 1 << 20;

using Group = UserShares::Group;

struct Copy {
  std::shared_ptr<void> space;
  Descriptor file;
};

class PictureDiskTest : public testing::Test {
 protected:
  static int64_t SizeOf(const Copy& copy) {
    struct stat status = {};
    fstat(copy.file.get(), &status);
    return int64_t{status.st_blocks} * 512;
  }
  Result<Copy> Take(const std::string& user, int64_t bytes,
                    bool may_wait = false, Group group = Group::kUsers) {
    Copy copy{nullptr, Descriptor(memfd_create("copy", MFD_CLOEXEC))};
    HALFTONED_TRY_ASSIGN(
        copy.space,
        disk_.Take({{user, group}, bytes, may_wait, [this] { ++waits_; }},
                   copy.file.get(), [this] { return is_canceled_.load(); }));
    free_ -= SizeOf(copy);
    return copy;
  }
  void End(Copy& copy) {
    free_ += SizeOf(copy);
    copy = {};
  }
  // The same as Take, on another thread. Returns once it must wait.
  std::future<Result<Copy>> Wait(const std::string& user, int64_t bytes) {
    auto taken = std::async(std::launch::async,
                            [=, this] { return Take(user, bytes, true); });
    while (disk_.waiting() == 0) std::this_thread::yield();
    return taken;
  }

  std::atomic<int64_t> free_ = kWhole;
  std::atomic<bool> is_canceled_ = false;
  std::atomic<int> waits_ = 0;
  PictureDisk disk_{[this] {
    UserShares::Room room;
    room.bytes = {static_cast<uint64_t>(free_.load()), 0};
    return room;
  }};
};

TEST_F(PictureDiskTest, GivesAUserHalfOfWhatOthersLeave) {
  EXPECT_FALSE(Take("ann", kWhole / 2 + 1).ok());
  auto ann = Take("ann", kWhole / 2);
  ASSERT_TRUE(ann.ok());
  EXPECT_EQ(SizeOf(*ann), kWhole / 2);
  const auto more = Take("ann", 1);
  ASSERT_FALSE(more.ok());
  EXPECT_EQ(more.error().message,
            "needs 1 MiB of disk space for a temporary copy, which is more "
            "than its user may have now");
  EXPECT_FALSE(Take("bob", kWhole / 4 + 1).ok());
  EXPECT_TRUE(Take("bob", kWhole / 4).ok());
  End(*ann);
  EXPECT_EQ(free_, kWhole - kWhole / 4);
}

TEST_F(PictureDiskTest, GivesAllRemoteUsersThreeQuarters) {
  std::vector<Copy> copies;
  int64_t all = 0;
  for (int i = 0; i < 20; ++i) {
    auto copy = Take(std::to_string(i), kWhole / 8, false, Group::kRemote);
    if (!copy.ok()) break;
    all += SizeOf(*copy);
    copies.push_back(std::move(*copy));
  }
  EXPECT_EQ(all, kWhole / 4 * 3);
}

TEST_F(PictureDiskTest, LetsAPictureWaitForAnother) {
  auto first = Take("ann", kWhole / 2);
  ASSERT_TRUE(first.ok());
  auto second = Wait("ann", kWhole / 2);
  End(*first);
  EXPECT_TRUE(second.get().ok());
  EXPECT_EQ(waits_, 1);
}

TEST_F(PictureDiskTest, LetsNoPictureWaitInVain) {
  EXPECT_FALSE(Take("ann", kWhole, true).ok());
  const auto other = Take("bob", kWhole / 4);
  ASSERT_TRUE(other.ok());
  EXPECT_FALSE(Take("ann", kWhole / 2 + 1, true).ok());
  EXPECT_EQ(waits_, 0);
}

TEST_F(PictureDiskTest, EndsTheWaitOnceTheJobIsCanceled) {
  const auto first = Take("ann", kWhole / 2);
  ASSERT_TRUE(first.ok());
  auto second = Wait("ann", 1);
  is_canceled_ = true;
  const auto taken = second.get();
  ASSERT_FALSE(taken.ok());
  EXPECT_EQ(taken.error().message, "the job was canceled");
}

}  // namespace
}  // namespace halftoned
