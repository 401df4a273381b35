// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adopt/arguments.h"

#include <gtest/gtest.h>

namespace halftoned {
namespace {

// What is printed about a wrong command line.
std::string ErrorOf(std::vector<std::string> words) {
  words.insert(words.begin(), "halftone");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  testing::internal::CaptureStderr();
  const auto parsed =
      ParseAdoptArguments(static_cast<int>(arguments.size()), arguments.data());
  const int* status = std::get_if<int>(&parsed);
  EXPECT_TRUE(status && *status == 2);
  return testing::internal::GetCapturedStderr();
}

TEST(AdoptCommandLine, SaysWhatIsExpected) {
  EXPECT_EQ(ErrorOf({"adopt"}), "halftone: missing queue; see --help\n");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"adopt", "--ppd"},
        {"release", "--ppd", "in"},
        {"adopt", "--ppd", "a", "b", "c"}}) {
    EXPECT_EQ(ErrorOf(words),
              "halftone: --ppd: expected two files, IN and OUT\n");
  }
  EXPECT_EQ(ErrorOf({"adopt", "q", "--list"}),
            "halftone: QUEUE cannot be given with --list\n");
  EXPECT_EQ(ErrorOf({"release", "q", "--all"}),
            "halftone: QUEUE cannot be given with --all\n");
  EXPECT_EQ(ErrorOf({"release", "--list"}),
            "halftone: unknown option '--list'\n");
}

}  // namespace
}  // namespace halftoned
