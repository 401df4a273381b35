// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/server/folders.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/temporary_folder.h"

namespace halftoned {
namespace {

namespace fs = std::filesystem;

TEST(Folders, AnotherUserCannotWriteThereWithoutNotice) {
  const auto made = TemporaryFolder::Make(fs::temp_directory_path(), "own-");
  ASSERT_TRUE(made.ok());
  const char* const own = made->path().c_str();
  const Folders folders{"/home/me/state", ""};
  EXPECT_EQ(TemporaryFolderOf(own, folders), own);
  EXPECT_EQ(TemporaryFolderOf(nullptr, folders), "/home/me/state/tmp");
  EXPECT_TRUE(OpenOwnFolder(own).open());
  EXPECT_FALSE(OpenOwnFolder(made->path() + "/none").open());
  fs::permissions(own, fs::perms::all);  // anybody could put a socket there
  EXPECT_EQ(TemporaryFolderOf(own, folders), "/home/me/state/tmp");
  EXPECT_FALSE(OpenOwnFolder(own).open());
}

}  // namespace
}  // namespace halftoned
