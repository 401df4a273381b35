// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ListenAt replaces a stale socket, but not one that is in use.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "base/unix_socket.h"

namespace halftoned {
namespace {

class ListenTest : public ::testing::Test {
 protected:
  ListenTest() {
    std::string folder = ::testing::TempDir() + "halftoned-listen-XXXXXX";
    folder_ = ::mkdtemp(folder.data());
    path_ = folder_ + "/socket";
  }
  ~ListenTest() override { std::filesystem::remove_all(folder_); }

  std::string folder_;
  std::string path_;
};

TEST_F(ListenTest, ConnectsToAListener) {
  EXPECT_EQ(ConnectTo(path_).error().code, ErrorCode::kUnavailable);
  const auto listener = ListenAt(path_);
  ASSERT_TRUE(listener.ok()) << listener.error().message;
  EXPECT_TRUE(ConnectTo(path_).ok());
  struct stat status;
  ASSERT_EQ(::stat(path_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST_F(ListenTest, ReplacesAStaleSocket) {
  ASSERT_TRUE(ListenAt(path_).ok());  // and closes it
  ASSERT_TRUE(std::filesystem::exists(path_));
  const auto listener = ListenAt(path_);
  ASSERT_TRUE(listener.ok()) << listener.error().message;
  EXPECT_TRUE(ConnectTo(path_).ok());
}

TEST_F(ListenTest, LeavesALiveSocketAlone) {
  const auto first = ListenAt(path_);
  ASSERT_TRUE(first.ok());
  const auto second = ListenAt(path_);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().message, "another process listens at " + path_);
  EXPECT_TRUE(ConnectTo(path_).ok());
}

TEST_F(ListenTest, LeavesOtherFilesAlone) {
  ASSERT_TRUE(Descriptor::Open(path_, O_CREAT | O_WRONLY).ok());
  EXPECT_EQ(ListenAt(path_).error().message, path_ + " is not a socket");
  EXPECT_TRUE(std::filesystem::is_regular_file(path_));
}

TEST_F(ListenTest, ReachesALongPathThroughItsDirectory) {
  const std::string folder = folder_ + "/" + std::string(120, 'x');
  EXPECT_FALSE(ListenAt(folder + "/socket").ok());  // there is no directory
  ASSERT_TRUE(std::filesystem::create_directory(folder));
  const auto listener = ListenAt(folder + "/socket");
  ASSERT_TRUE(listener.ok()) << listener.error().message;
  EXPECT_TRUE(std::filesystem::is_socket(folder + "/socket"));
  EXPECT_TRUE(ConnectTo(folder + "/socket").ok());
}

TEST_F(ListenTest, RefusesInvalidPaths) {
  EXPECT_EQ(ListenAt("").error().code, ErrorCode::kBadInput);
  EXPECT_EQ(ListenAt("/" + std::string(107, 'a')).error().code,
            ErrorCode::kBadInput);
}

}  // namespace
}  // namespace halftoned
