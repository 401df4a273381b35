// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a child uses beyond its limits ends it, and nothing else does.

#include "print/limits/child_watch.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <memory>
#include <string>

#include "base/temporary_folder.h"
#include "print/process/pipe.h"

namespace halftoned {
namespace {

using Excess = ChildWatch::Excess;
using std::chrono::milliseconds;

constexpr uint64_t kMiB = uint64_t{1} << 20;

class ChildWatchTest : public ::testing::Test {
 protected:
  // A shell in the folder, whose output is read to its end.
  void Run(const std::string& script, uint64_t files, milliseconds time,
           milliseconds total_time = milliseconds(100000)) {
    auto pipe = Pipe::Make();
    ASSERT_TRUE(pipe.ok());
    auto child = Child::Start(
        {.name = "the shell",
         .words = {"/bin/sh", "-c", "cd " + folder_.path() + "\n" + script},
         .environment = EnvironmentWithout({}),
         .input = STDIN_FILENO,
         .output = pipe->writing.get(),
         .limits = ChildLimits{4096 * kMiB, 2 * kMiB, 64}});
    ASSERT_TRUE(child.ok());
    const auto watch =
        ChildWatch::Start(*child, {.folder = folder_.path(),
                                   .given = {},
                                   .disk_bytes = 2 * kMiB,
                                   .files = files,
                                   .time = time,
                                   .output = pipe->reading.get()});
    ASSERT_TRUE(watch.ok());
    (*watch)->LimitTotalTime(total_time);
    pipe->writing.Close();
    std::array<char, 4096> room;
    for (ssize_t got;
         (got = ::read(pipe->reading.get(), room.data(), room.size())) > 0;) {
      read_ += got;
    }
    is_ok_ = child->Finish(*stop_).ok();
    excess_ = (*watch)->excess();
    by_file_size_ = child->WasKilledBy(SIGXFSZ);
  }

  const Result<Stop> stop_ = Stop::Make();
  const Result<TemporaryFolder> made_ =
      TemporaryFolder::Make(::testing::TempDir(), "child-watch-");
  const TemporaryFolder& folder_ = *made_;
  Excess excess_ = Excess::kNone;
  bool is_ok_ = false;
  bool by_file_size_ = false;
  int64_t read_ = 0;
};

TEST_F(ChildWatchTest, EndsOneThatComputesWithoutOutput) {
  Run("while :; do :; done", 8, milliseconds(200));
  EXPECT_EQ(excess_, Excess::kTime);
  EXPECT_FALSE(is_ok_);
}

// However long it takes in all.
TEST_F(ChildWatchTest, LetsOneThatHasOutputGoOn) {
  Run("n=0; while [ $n -lt 200000 ]; do n=$((n+1)); echo $n; done", 8,
      milliseconds(300));
  EXPECT_EQ(excess_, Excess::kNone);
  EXPECT_TRUE(is_ok_);
  EXPECT_EQ(read_, 1288895);
}

TEST_F(ChildWatchTest, EndsOneWhoseOutputHasNoEnd) {
  Run("while :; do echo; done", 8, milliseconds(10000), milliseconds(300));
  EXPECT_EQ(excess_, Excess::kTotalTime);
  EXPECT_FALSE(is_ok_);
}

TEST_F(ChildWatchTest, CountsFilesTogether) {
  const std::string write = "head -c 1500000 /dev/zero ";
  Run(write + ">a; " + write + ">..b; sleep 600", 8, milliseconds(10000));
  EXPECT_EQ(excess_, Excess::kDisk);
}

TEST_F(ChildWatchTest, CountsDeletedFilesToo) {
  const std::string write = "head -c 1500000 /dev/zero ";
  Run("exec 3>a 4>b; rm a b; " + write + ">&3; " + write + ">&4; sleep 600", 8,
      milliseconds(10000));
  EXPECT_EQ(excess_, Excess::kDisk);
}

TEST_F(ChildWatchTest, CountsEmptyFiles) {
  Run("for n in 1 2 3 4 5; do : >$n; : >.$n; done; sleep 600", 8,
      milliseconds(10000));
  EXPECT_EQ(excess_, Excess::kFiles);
}

TEST_F(ChildWatchTest, AFileHasALimitOfItsOwn) {
  Run("exec head -c 3000000 /dev/zero >a", 8, milliseconds(10000));
  EXPECT_TRUE(by_file_size_);
}

TEST_F(ChildWatchTest, EndsBeforeOthersIfMemoryRunsOut) {
  Run("read -r score </proc/self/oom_score_adj; [ $score = 500 ]", 8,
      milliseconds(10000));
  EXPECT_TRUE(is_ok_);
}

TEST_F(ChildWatchTest, AChildHasItsOwnMemoryLimit) {
  rlimit before = {};
  ASSERT_EQ(::getrlimit(RLIMIT_DATA, &before), 0);
  rlimit own = before;
  own.rlim_cur = rlim_t{1} << 46;  // enough for sanitizers
  ASSERT_EQ(::setrlimit(RLIMIT_DATA, &own), 0);
  Run("test \"$(ulimit -Sd)\" = \"$(ulimit -Hd)\"", 64, milliseconds(10000));
  EXPECT_TRUE(is_ok_);
  EXPECT_EQ(::setrlimit(RLIMIT_DATA, &before), 0);
}

TEST_F(ChildWatchTest, LeavesOneThatStaysWithinItsLimits) {
  Run("head -c 1500000 /dev/zero >a; exec 3>b; rm b; sleep 0.3", 3,
      milliseconds(10000));
  EXPECT_EQ(excess_, Excess::kNone);
  EXPECT_TRUE(is_ok_);
}

}  // namespace
}  // namespace halftoned
