// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Renderers that take too much memory or disk together end one by one: those of
// the user who takes the most, the largest first.

#include "print/limits/render_pool.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/temporary_folder.h"
#include "print/process/pipe.h"

namespace halftoned {
namespace {

TEST(FindExcess, EndsTheLargestRendererOfTheLargestUser) {
  EXPECT_EQ(FindExcess({}, 0), std::nullopt);
  EXPECT_EQ(FindExcess({{"a", 60}, {"b", 40}}, 100), std::nullopt);
  EXPECT_EQ(FindExcess({{"a", 60}, {"b", 41}}, 100), 0u);
  EXPECT_EQ(FindExcess({{"a", 30}, {"b", 60}, {"a", 40}}, 100), 2u);
  EXPECT_EQ(FindExcess({{"b", 60}, {"a", 20}, {"a", 20}, {"a", 21}}, 120), 3u);
}

// A process with so much memory, which it reports, and which waits.
class Holder {
 public:
  Holder(int mib, std::string user)
      : output_(std::move(*::halftoned::Pipe::Make())) {
    const std::string last = std::to_string((mib << 20) - 1);
    child_ = std::make_unique<Child>(std::move(*Child::Start(
        {.name = "the holder",
         .words = {"/usr/bin/perl", "-e",
                   "my $held; vec($held, " + last +
                       ", 8) = 1; syswrite STDOUT, 'ok'; sleep 1000"},
         .environment = EnvironmentWithout({}),
         .input = STDIN_FILENO,
         .output = output_.writing.get()})));
    output_.writing.Close();
    share_ =
        std::make_unique<RenderPool::Share>(*child_, std::move(user), folder());
  }
  ~Holder() { share_.reset(); }

  // False: it was ended before it had its memory.
  bool HasIt() {
    char room[2];
    return ::read(output_.reading.get(), room, sizeof(room)) == 2;
  }
  bool EndsByItself() {
    char room;
    return ::read(output_.reading.get(), &room, 1) == 0;
  }
  bool was_ended() const { return !share_->Verdict().ok(); }
  RenderPool::Share& share() { return *share_; }
  const std::string& folder() const { return folder_.path(); }

 private:
  const Result<TemporaryFolder> made_ =
      TemporaryFolder::Make(::testing::TempDir(), "holder-");
  const TemporaryFolder& folder_ = *made_;
  ::halftoned::Pipe output_;
  std::unique_ptr<Child> child_;
  std::unique_ptr<RenderPool::Share> share_;
};

TEST(RenderPool, EndsAsManyAsNecessary) {
  RenderPool::Limit({});
  Holder honest(100, "bob"), first(40, "eve"), second(90, "eve");
  ASSERT_TRUE(honest.HasIt() && first.HasIt() && second.HasIt());
  const Result<Stop> stop = Stop::Make();
  ASSERT_TRUE(stop.ok());
  RenderPool::AwaitRoom(*stop);
  EXPECT_FALSE(second.was_ended());
  RenderPool::Limit({.memory = uint64_t{180} << 20});
  EXPECT_TRUE(second.EndsByItself());
  EXPECT_TRUE(second.was_ended());
  EXPECT_FALSE(first.was_ended());
  EXPECT_FALSE(honest.was_ended());
  EXPECT_NE(second.share().Verdict().error().message.find(" 180 MiB "),
            std::string::npos);
}

TEST(RenderPool, ThisProcessCountsToo) {
  RenderPool::Limit({.with_this = uint64_t{1} << 40});
  Holder honest(10, "bob");
  ASSERT_TRUE(honest.HasIt());
  const Result<Stop> stop = Stop::Make();
  ASSERT_TRUE(stop.ok());
  RenderPool::AwaitRoom(*stop);
  EXPECT_FALSE(honest.was_ended());
  // It needs more by itself.
  RenderPool::Limit({.with_this = uint64_t{1} << 10});
  EXPECT_TRUE(honest.EndsByItself());
  EXPECT_NE(honest.share().Verdict().error().message.find(
                " 0 MiB of memory (memory limit of the service"),
            std::string::npos);
  RenderPool::Limit({});
}

TEST(RenderPool, ARendererWaitsForRoom) {
  RenderPool::Limit({.memory = uint64_t{200} << 20});
  auto holder = std::make_unique<Holder>(150, "bob");
  ASSERT_TRUE(holder->HasIt());
  Result<Stop> stop = Stop::Make();
  ASSERT_TRUE(stop.ok());
  std::atomic<bool> has_room = false;
  std::thread waits([&] {
    RenderPool::AwaitRoom(*stop);
    has_room = true;
  });
  EXPECT_FALSE(has_room);
  holder.reset();
  waits.join();
  EXPECT_TRUE(has_room);
  // Whoever is canceled does not wait.
  Holder again(150, "bob");
  ASSERT_TRUE(again.HasIt());
  stop->Request();
  RenderPool::AwaitRoom(*stop);
  RenderPool::Limit({});
}

std::atomic<uint64_t> free_bytes = 0;
uint64_t Free(const std::string& /*folder*/) { return free_bytes; }

TEST(RenderPool, TheLargestFilesEndOnAFullDisk) {
  free_bytes = 1;
  RenderPool::Limit({.folder = "any", .free = Free});
  Holder honest(1, "bob"), first(1, "eve"), second(1, "eve");
  ASSERT_TRUE(honest.HasIt() && first.HasIt() && second.HasIt());
  honest.share().disk() = 30 << 20;
  first.share().disk() = 20 << 20;
  const std::string file = second.folder() + "/document.pdf";
  ASSERT_TRUE(Descriptor::Open(file, O_WRONLY | O_CREAT).ok());
  ASSERT_EQ(::truncate(file.c_str(), 25 << 20), 0);
  const Result<Stop> stop = Stop::Make();
  ASSERT_TRUE(stop.ok());
  RenderPool::AwaitRoom(*stop);
  EXPECT_TRUE(RenderPool::CheckDisk().ok());
  EXPECT_FALSE(second.was_ended());
  free_bytes = 0;
  EXPECT_FALSE(RenderPool::CheckDisk().ok());
  EXPECT_TRUE(second.EndsByItself());
  free_bytes = 1;
  EXPECT_NE(second.share().Verdict().error().message.find("the disk"),
            std::string::npos);
  RenderPool::AwaitRoom(*stop);
  EXPECT_FALSE(honest.was_ended());
  RenderPool::Limit({});
}

TEST(RenderPool, SmallFilesDoNotEnd) {
  free_bytes = 0;
  RenderPool::Limit({.folder = "any", .free = Free});
  Holder honest(1, "bob");
  ASSERT_TRUE(honest.HasIt());
  honest.share().disk() = 1 << 20;
  Result<Stop> stop = Stop::Make();
  ASSERT_TRUE(stop.ok());
  stop->Request();
  RenderPool::AwaitRoom(*stop);
  EXPECT_FALSE(honest.was_ended());
  RenderPool::Limit({});
}

TEST(RenderPool, FailuresWhileTheDiskIsShortAreRetried) {
  free_bytes = uint64_t{100} << 20;
  RenderPool::Limit({.folder = "any", .free = Free});
  Holder writer(1, "eve");
  ASSERT_TRUE(writer.HasIt());
  RenderPool::Retries retries;
  EXPECT_FALSE(retries.Take());
  // It may fill the disk, and free it again, before the next look.
  writer.share().disk() = 100 << 20;
  for (int i = 0; i < RenderPool::Retries::kMost; ++i) {
    EXPECT_TRUE(retries.Take());
  }
  EXPECT_FALSE(retries.Take());
  EXPECT_FALSE(writer.was_ended());
  // What is over before the work does not count, what is over after it does.
  writer.share().disk() = 0;
  RenderPool::Retries later;
  EXPECT_FALSE(later.Take());
  free_bytes = 0;
  EXPECT_FALSE(RenderPool::CheckDisk().ok());
  free_bytes = uint64_t{100} << 20;
  EXPECT_TRUE(later.Take());
  EXPECT_FALSE(later.Take());
  RenderPool::Limit({});
}

}  // namespace
}  // namespace halftoned
