// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/temporary_folder.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace halftoned {
namespace {

namespace fs = std::filesystem;

TEST(TemporaryFolder, IsRemovedByTheNextIfItsOwnerWasKilled) {
  auto parent = TemporaryFolder::Make(fs::temp_directory_path(), "folders-");
  ASSERT_TRUE(parent.ok());
  const std::string jobs = parent->path() + "/jobs";
  fs::create_directory(jobs);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto made = TemporaryFolder::Make(jobs, "job-");
    if (!made.ok()) ::_exit(1);
    std::ofstream(made->path() + "/document") << "a document";
    ::_exit(0);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  const fs::directory_iterator only(jobs);
  ASSERT_NE(only, fs::directory_iterator());
  const fs::path left = only->path();
  ASSERT_TRUE(fs::exists(left / "document"));
  const fs::path other = jobs + "/job-backup";
  fs::create_directory(other);
  std::ofstream(other / "thesis") << "not ours";
  const auto first = TemporaryFolder::Make(jobs, "job-");
  ASSERT_TRUE(first.ok());
  EXPECT_FALSE(fs::exists(left));
  const auto second = TemporaryFolder::Make(jobs, "job-");
  ASSERT_TRUE(second.ok());
  EXPECT_TRUE(fs::exists(first->path()));
  EXPECT_TRUE(fs::exists(second->path()));
  EXPECT_TRUE(fs::exists(other / "thesis"));
}

}  // namespace
}  // namespace halftoned
