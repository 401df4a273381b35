// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/server/folders.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/temporary_folder.h"

namespace halftoned {
namespace {

namespace fs = std::filesystem;

TEST(TemporaryFolderOf, IsInTheRuntimeDirectoryIfASocketsPathIsTooLong) {
  const auto runtime = TemporaryFolder::Make(fs::temp_directory_path(), "run-");
  ASSERT_TRUE(runtime.ok());
  const char* const own = runtime->path().c_str();
  const Folders near{"/home/me/state", ""};
  const Folders far{"/" + std::string(70, 'x'), ""};
  EXPECT_EQ(TemporaryFolderOf(own, own, far), own);
  EXPECT_EQ(TemporaryFolderOf(nullptr, own, near), "/home/me/state/tmp");
  EXPECT_EQ(TemporaryFolderOf(nullptr, own, far),
            runtime->path() + "/halftone-printer-app");
  EXPECT_EQ(TemporaryFolderOf(nullptr, nullptr, far), far.state + "/tmp");
  fs::permissions(own, fs::perms::all);  // anybody could put a socket there
  EXPECT_EQ(TemporaryFolderOf(own, own, far), far.state + "/tmp");
  EXPECT_EQ(TemporaryFolderOf(own, own, {}), "");
}

}  // namespace
}  // namespace halftoned
