// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/temporary_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace halftoned {
namespace {

namespace fs = std::filesystem;

TEST(TemporaryFolder, IsRemovedByTheNextIfItsOwnerWasKilled) {
  auto parent = TemporaryFolder::Make(fs::temp_directory_path(), "folders-");
  ASSERT_TRUE(parent.ok());
  // Nobody has its lock.
  const fs::path left = parent->path() + "/job-left";
  fs::create_directory(left);
  std::ofstream(left / "document") << "a document";
  const fs::path other = parent->path() + "/other";
  fs::create_directory(other);
  const auto first = TemporaryFolder::Make(parent->path(), "job-");
  ASSERT_TRUE(first.ok());
  EXPECT_FALSE(fs::exists(left));
  const auto second = TemporaryFolder::Make(parent->path(), "job-");
  ASSERT_TRUE(second.ok());
  EXPECT_TRUE(fs::exists(first->path()));
  EXPECT_TRUE(fs::exists(second->path()));
  EXPECT_TRUE(fs::exists(other));
}

}  // namespace
}  // namespace halftoned
