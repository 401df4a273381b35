// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/command_words.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace halftoned {
namespace {

using Words = std::vector<std::string>;

std::string WhatForbids(Words words) {
  words.insert(words.begin(), "halftone-printer-app");
  return WhatForbidsCommand(words);
}

TEST(CommandWords, CommandsNameNoServer) {
  const std::string uri = "ipp://127.0.0.1/ipp/print/office";
  for (const Words& words : {Words{"printers", "-u", uri},
                             {"-u", uri, "jobs"},
                             {"jobs", "-o", "printer-uri=" + uri},
                             {"jobs", "-o", "a=1 Printer-URI = " + uri},
                             {"submit", "--", "file", "-u", uri}}) {
    EXPECT_TRUE(WhatForbids(words).starts_with("-u: commands connect only"))
        << words[1];
  }
  for (const Words& words : {Words{"submit", "-t", "-u", "file"},
                             {"submit", "-t", "-urgent", "file"},
                             {"submit", "-t", "printer-uri=x", "file"},
                             {"submit", "--", "-u"},
                             {"submit", "--", "-urgent"}}) {
    EXPECT_EQ(WhatForbids(words), "") << words[1];
  }
}

TEST(CommandWords, OptionsHaveOneLetter) {
  EXPECT_EQ(WhatForbids({"submit", "-dX", "xu", "ipp://127.0.0.1"}),
            "-dX: options are single letters, each followed by a blank");
  EXPECT_EQ(WhatForbids({"submit", "-d", "Laser", "-"}), "");
  EXPECT_EQ(WhatForbids({"cancel", "-a"}), "");
}

TEST(CommandWords, NumbersAreInRange) {
  for (const char* number : {"0", "-1", "abc", "", "1x", "1000", "99999999"}) {
    EXPECT_EQ(WhatForbids({"submit", "-n", number, "file"}),
              "-n: must be a number from 1 to 999");
    EXPECT_NE(WhatForbids({"submit", "-o", "copies=" + std::string(number)}),
              "");
  }
  for (const char* number :
       {"0", "-1", "abc", "4294967335", "2147483648", "99999999999"}) {
    EXPECT_EQ(WhatForbids({"cancel", "-d", "Laser", "-j", number}),
              "-j: must be the number of a job");
  }
  EXPECT_EQ(WhatForbids({"submit", "-n", "999", "file"}), "");
  EXPECT_EQ(WhatForbids({"cancel", "-j", "2147483647"}), "");
}

TEST(CommandWords, ModifyKeepsTheDevice) {
  for (const char* option : {"-v", "-m"}) {
    EXPECT_TRUE(WhatForbids({"modify", "-d", "Laser", option, "x"})
                    .starts_with("modify cannot change"));
    EXPECT_EQ(WhatForbids({"add", "-d", "modify", option, "x"}), "");
  }
}

TEST(CommandWords, CopiesBecomeAnOption) {
  Words words = {"app", "submit", "-t", "-n", "-n", "2", "--", "-n", "3"};
  NameCopies(words);
  EXPECT_EQ(words, (Words{"app", "submit", "-t", "-n", "-o", "copies=2", "--",
                          "-n", "3"}));
}

}  // namespace
}  // namespace halftoned
