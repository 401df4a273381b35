// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Root starts no program that another user could have put there.

#include "base/libexec.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace halftoned {
namespace {

constexpr char kInstalled[] = "/usr/libexec/halftoned";
constexpr uid_t kOther = 65534;

class LibexecTest : public ::testing::Test {
 protected:
  LibexecTest() {
    std::string parent = "/tmp/halftoned-libexec-XXXXXX";
    parent_ = ::mkdtemp(parent.data());
    folder_ = parent_ + "/libexec";
    std::filesystem::create_directory(folder_);
    ::chmod(folder_.c_str(), 0755);
  }
  ~LibexecTest() override {
    ::unsetenv("HALFTONED_LIBEXEC");
    std::filesystem::remove_all(parent_);
  }
  static std::string Named(const std::string& folder) {
    ::setenv("HALFTONED_LIBEXEC", folder.c_str(), 1);
    return LibexecFolder(kInstalled);
  }

  std::string parent_;
  std::string folder_;
};

TEST_F(LibexecTest, IsTheInstalledOneUnlessAnotherIsNamed) {
  ::unsetenv("HALFTONED_LIBEXEC");
  EXPECT_EQ(LibexecFolder(kInstalled), kInstalled);
  for (const std::string& folder :
       {folder_, folder_ + "/", folder_ + "/missing",
        std::string("/missing")}) {
    EXPECT_EQ(Named(folder), folder);
  }
}

TEST_F(LibexecTest, OfRootIsOneThatNobodyElseCanChange) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root";
  const std::string link = parent_ + "/link";
  std::filesystem::create_symlink(folder_, link);
  EXPECT_EQ(Named(link), link);
  for (const mode_t mode : {0775, 0757, 01777}) {
    ::chmod(folder_.c_str(), mode);
    EXPECT_EQ(Named(folder_), kInstalled);
    EXPECT_EQ(Named(link), kInstalled);
  }
  ::chmod(folder_.c_str(), 0755);
  for (const std::string& path : {folder_, parent_}) {
    ASSERT_EQ(::chown(path.c_str(), kOther, 0), 0);
    EXPECT_EQ(Named(folder_), kInstalled);
    EXPECT_EQ(Named(folder_ + "/missing"), kInstalled);
    ASSERT_EQ(::chown(path.c_str(), 0, 0), 0);
  }
  ::chmod(parent_.c_str(), 0777);
  EXPECT_EQ(Named(folder_), kInstalled);
  ::chmod(parent_.c_str(), 01777);
  EXPECT_EQ(Named(folder_), folder_);
}

TEST_F(LibexecTest, ProgramsForUsersAreWhereTheyAreInstalledFromThere) {
  constexpr char kPrograms[] = "/usr/bin";
  ::unsetenv("HALFTONED_LIBEXEC");
  EXPECT_EQ(ProgramFolder(kPrograms, kInstalled), kPrograms);
  Named(folder_ + "/libexec/halftoned");
  EXPECT_EQ(ProgramFolder(kPrograms, kInstalled), folder_ + "/bin");
  if (::geteuid() != 0) return;
  std::filesystem::create_directory(folder_ + "/bin");
  ASSERT_EQ(::chown((folder_ + "/bin").c_str(), kOther, 0), 0);
  EXPECT_EQ(ProgramFolder(kPrograms, kInstalled), kPrograms);
}

}  // namespace
}  // namespace halftoned
