// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/pictures/picture_memory.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace halftoned {
namespace {

constexpr int64_t kAll = int64_t{64} << 20;

using Group = UserShares::Group;

class Pictures : public testing::Test {
 protected:
  Result<std::shared_ptr<void>> Take(const char* user, int64_t bytes,
                                     Group group = Group::kUsers) {
    return memory_.Take({user, group}, bytes,
                        [this] { return is_canceled_.load(); });
  }
  // The same on another thread. Returns once it waits.
  std::future<Result<std::shared_ptr<void>>> Wait(const char* user,
                                                  int64_t bytes,
                                                  Group group = Group::kUsers) {
    const size_t others = memory_.waiting();
    auto taken = std::async(std::launch::async,
                            [=, this] { return Take(user, bytes, group); });
    while (memory_.waiting() == others) std::this_thread::yield();
    return taken;
  }

  PictureMemory memory_{kAll};
  std::atomic<bool> is_canceled_ = false;
};

TEST_F(Pictures, GetAtMostHalfOfTheMemory) {
  EXPECT_TRUE(Take("ann", kAll / 2).ok());
  const auto taken = Take("ann", kAll / 2 + 1);
  ASSERT_FALSE(taken.ok());
  EXPECT_EQ(taken.error().code, ErrorCode::kBadInput);
  EXPECT_EQ(taken.error().message,
            "needs 33 MiB of memory, of which a picture gets at most 32");
  EXPECT_FALSE(Take("ann", INT64_MAX).ok());
}

TEST_F(Pictures, WaitUntilTheirUserHasMemory) {
  auto first = Take("ann", kAll / 2);
  ASSERT_TRUE(first.ok());
  auto second = Wait("ann", 1);
  // Another user does not wait for it.
  EXPECT_TRUE(Take("bob", kAll / 4).ok());
  EXPECT_EQ(memory_.waiting(), 1u);
  first->reset();
  EXPECT_TRUE(second.get().ok());
}

TEST_F(Pictures, WaitUntilThereIsMemoryInTheirOrder) {
  auto ann = Take("ann", kAll / 2);
  auto bob = Take("bob", kAll / 4);
  ASSERT_TRUE(ann.ok() && bob.ok());
  auto first = Wait("cleo", kAll / 2);
  // There will be memory for this one, but it would delay the other.
  auto second = Wait("dora", kAll / 4);
  bob->reset();
  EXPECT_EQ(memory_.waiting(), 2u);
  ann->reset();
  EXPECT_TRUE(first.get().ok());
  EXPECT_TRUE(second.get().ok());
}

TEST_F(Pictures, ThatAreSmallDoNotWaitForLargeOnes) {
  const auto ann = Take("ann", kAll / 2);
  const auto bob = Take("bob", kAll / 4);
  ASSERT_TRUE(ann.ok() && bob.ok());
  auto large = Wait("cleo", kAll / 4);
  EXPECT_TRUE(Take("dora", kAll / 16).ok());
  EXPECT_EQ(memory_.waiting(), 1u);
  is_canceled_ = true;
  EXPECT_FALSE(large.get().ok());
}

TEST_F(Pictures, OfUsersWhoCanClaimAnyNameLeaveMemoryToOthers) {
  for (const Group group : {Group::kRemote, Group::kOfCups}) {
    auto large = Take("1", kAll / 2, group);
    ASSERT_TRUE(large.ok());
    auto second = Wait("2", kAll / 8, group);
    auto third = Wait("3", kAll / 2, group);
    std::vector<std::shared_ptr<void>> small;
    for (const char* user : {"4", "5", "6", "7"}) {
      auto taken = Take(user, kAll / 16, group);
      ASSERT_TRUE(taken.ok());
      small.push_back(*taken);
    }
    auto fifth = Wait("8", 1, group);
    EXPECT_TRUE(Take("ann", kAll / 4).ok());
    EXPECT_EQ(memory_.waiting(), 3u);
    small.clear();
    EXPECT_TRUE(fifth.get().ok());
    EXPECT_EQ(memory_.waiting(), 2u);
    large->reset();
    EXPECT_TRUE(second.get().ok());
    EXPECT_TRUE(third.get().ok());
  }
}

TEST_F(Pictures, EndTheirWaitOnceTheirJobIsCanceled) {
  const auto first = Take("ann", kAll / 2);
  auto second = Wait("ann", 1);
  is_canceled_ = true;
  const auto taken = second.get();
  ASSERT_FALSE(taken.ok());
  EXPECT_EQ(taken.error().message, "the job was canceled");
  EXPECT_EQ(memory_.waiting(), 0u);
}

}  // namespace
}  // namespace halftoned
