// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A lack of file descriptors is a lack of room; a missing directory is not.

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <filesystem>

#include "base/temporary_folder.h"
#include "printer_app/documents/job_room.h"

namespace halftoned {
namespace {

TEST(HasRoomForJob, TooManyOpenFilesLeaveNone) {
  const auto folder =
      TemporaryFolder::Make(::testing::TempDir(), "has-room-test-");
  ASSERT_TRUE(folder.ok());
  EXPECT_TRUE(HasRoomForJob(folder->path()));
  rlimit usual = {};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &usual), 0);
  rlimit few = usual;
  few.rlim_cur = 8;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  const bool has_room = HasRoomForJob(folder->path());
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &usual), 0);
  EXPECT_FALSE(has_room);
  EXPECT_TRUE(HasRoomForJob(folder->path()));
  for (const auto& left : std::filesystem::directory_iterator(folder->path())) {
    EXPECT_EQ(left.path().filename(), ".halftoned");
  }
}

TEST(HasRoomForJob, OtherFailuresAreNoLackOfRoom) {
  EXPECT_TRUE(HasRoomForJob("/none"));
}

}  // namespace
}  // namespace halftoned
