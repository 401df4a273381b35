// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <gtest/gtest.h>

#include <algorithm>

#include "adopt/adopt_arguments.h"
#include "command/command_line.h"

namespace halftoned {
namespace {

// What is wrong with a command line.
std::string ErrorOf(std::vector<std::string> words) {
  CLI::App app("", "halftone");
  app.require_subcommand(1);
  AdoptOptions options;
  AddAdoptCommands(app, options);
  std::ranges::reverse(words);  // as CLI11 wants them
  try {
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    return MessageOf(error, app);
  }
  return "";
}

TEST(AdoptCommandLine, ErrorsNameTheExpectedArguments) {
  EXPECT_EQ(ErrorOf({"adopt"}), "missing queue; halftone list shows them");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"adopt", "--ppd"},
        {"release", "--ppd", "in"},
        {"adopt", "--ppd", "a", "b", "c"}}) {
    EXPECT_EQ(ErrorOf(words), "--ppd: expected two files, IN and OUT");
  }
  EXPECT_EQ(ErrorOf({"release", "q", "--all"}),
            "QUEUE cannot be given with --all");
  EXPECT_EQ(ErrorOf({"adopt", "--dry-run"}),
            "missing queue; halftone list shows them");
  EXPECT_EQ(ErrorOf({"release", "--all", "--dry-run"}), "");
  EXPECT_EQ(ErrorOf({"release", "-n", "--all"}), "");
  EXPECT_EQ(ErrorOf({"adopt", "--again", "--dry-run"}), "");
  EXPECT_NE(ErrorOf({"adopt", "--again", "q"}), "");
  EXPECT_EQ(ErrorOf({"release", "--again"}), "unknown option '--again'");
}

}  // namespace
}  // namespace halftoned
