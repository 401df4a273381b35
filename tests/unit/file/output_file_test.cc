// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files whose system does what it seldom does: the calls are replaced here,
// and can be made to take nothing, or to fail for folders.

#include "file/output_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "file/temporary_file.h"

namespace {

bool takes_nothing = false;
int folder_errno = 0;
std::vector<std::string> synced;  // "file" or "folder"
std::string target;               // whether it is there is noted

}  // namespace

extern "C" {

ssize_t write(int fd, const void* bytes, size_t count) {
  return takes_nothing ? 0 : ::syscall(SYS_write, fd, bytes, count);
}

ssize_t pwrite(int fd, const void* bytes, size_t count, off_t offset) {
  return takes_nothing ? 0 : ::syscall(SYS_pwrite64, fd, bytes, count, offset);
}

int fsync(int fd) {
  struct stat status;
  ::fstat(fd, &status);
  const bool is_folder = S_ISDIR(status.st_mode);
  const bool is_there = ::access(target.c_str(), F_OK) == 0;
  synced.push_back(std::string(is_folder ? "folder" : "file") +
                   (is_there ? " after" : " before"));
  if (!is_folder || folder_errno == 0) return 0;
  errno = folder_errno;
  return -1;
}

}  // extern "C"

namespace halftoned {
namespace {

constexpr std::byte kBytes[3] = {};

class OutputFileTest : public testing::Test {
 protected:
  OutputFileTest() {
    std::string name =
        std::filesystem::temp_directory_path() / "halftone-XXXXXX";
    folder_ = ::mkdtemp(name.data());
    target = folder_ / "out";
  }
  ~OutputFileTest() override {
    takes_nothing = false;
    folder_errno = 0;
    synced.clear();
    std::filesystem::remove_all(folder_);
  }

  size_t Files() const {
    size_t files = 0;
    for ([[maybe_unused]] const auto& entry :
         std::filesystem::directory_iterator(folder_)) {
      ++files;
    }
    return files;
  }

  std::filesystem::path folder_;
  PendingFiles pending_;
};

TEST_F(OutputFileTest, LastsBeforeItHasItsNameAndItsNameLasts) {
  auto file = OutputFile::Create(target, pending_);
  ASSERT_TRUE(file.ok());
  ASSERT_TRUE(file.value()->Write(kBytes).ok());
  ASSERT_TRUE(file.value()->Commit().ok());
  EXPECT_EQ(synced, (std::vector<std::string>{"file before", "folder after"}));
}

TEST_F(OutputFileTest, SaysIfItsNameMayNotLast) {
  folder_errno = EIO;
  auto file = OutputFile::Create(target, pending_);
  ASSERT_TRUE(file.ok());
  EXPECT_FALSE(file.value()->Commit().ok());
}

TEST_F(OutputFileTest, ForgivesFoldersThatCannotBeAsked) {
  folder_errno = EINVAL;
  auto file = OutputFile::Create(target, pending_);
  ASSERT_TRUE(file.ok());
  EXPECT_TRUE(file.value()->Commit().ok());
}

TEST_F(OutputFileTest, IsGivenUpWhenNothingIsTaken) {
  {
    auto file = OutputFile::Create(target, pending_);
    ASSERT_TRUE(file.ok());
    takes_nothing = true;
    EXPECT_FALSE(file.value()->Write(kBytes).ok());
    EXPECT_FALSE(WriteAt(file.value()->fd(), 0, kBytes).ok());
  }
  EXPECT_EQ(Files(), 0u);
}

TEST_F(OutputFileTest, IsDeletedWithWhatIsPending) {
  auto pending = std::make_unique<PendingFiles>();
  ASSERT_TRUE(pending->Create(target, 0600).ok());
  EXPECT_EQ(Files(), 1u);
  pending.reset();
  EXPECT_EQ(Files(), 0u);
}

}  // namespace
}  // namespace halftoned
