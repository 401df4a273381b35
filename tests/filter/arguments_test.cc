// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <gtest/gtest.h>

#include <vector>

#include "filter/filter_arguments.h"

namespace halftoned {
namespace {

Result<Arguments> Parse(std::vector<std::string> words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  return ParseArguments("rastertohalftone", pointers);
}

TEST(Arguments, CopiesAreMadeOnlyFromAFile) {
  const auto from_stdin = Parse({"1", "u", "t", "7", "a=b"});
  ASSERT_TRUE(from_stdin.ok());
  EXPECT_FALSE(from_stdin->file);
  EXPECT_EQ(from_stdin->copies, 1);
  EXPECT_EQ(from_stdin->options, "a=b");

  const auto from_file = Parse({"1", "u", "t", "7", "a=b", "/f"});
  ASSERT_TRUE(from_file.ok());
  EXPECT_EQ(from_file->file, "/f");
  EXPECT_EQ(from_file->copies, 7);
}

TEST(Arguments, OthersAreRefused) {
  EXPECT_FALSE(Parse({}).ok());
  EXPECT_FALSE(Parse({"1", "u", "t", "1"}).ok());
  EXPECT_FALSE(Parse({"1", "u", "t", "1", "", "/f", "x"}).ok());
  for (const char* copies : {"", "0", "-1", "1x", "10000", "99999999999"}) {
    EXPECT_FALSE(Parse({"1", "u", "t", copies, "", "/f"}).ok()) << copies;
  }
}

}  // namespace
}  // namespace halftoned
