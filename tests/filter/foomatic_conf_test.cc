// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/ghostscript/foomatic_conf.h"

#include <gtest/gtest.h>

namespace halftoned {
namespace {

TEST(FoomaticConf, NamesTheKeyThatLeadsToAnotherGhostscript) {
  EXPECT_EQ(KeyOfOtherGhostscript("debug: 0\ngspath: /opt/gs/bin/gs\n"),
            "gspath");
  EXPECT_EQ(KeyOfOtherGhostscript("execpath /usr/local/bin:/usr/bin"),
            "execpath");
  EXPECT_EQ(KeyOfOtherGhostscript("\tgspath :gs-x # ours\r\n"), "gspath");
}

TEST(FoomaticConf, CanHaveAnythingElse) {
  EXPECT_EQ(KeyOfOtherGhostscript(""), "");
  EXPECT_EQ(KeyOfOtherGhostscript("# gspath: /opt/gs\ngspath: gs\r\nexecpath:\n"
                                  "echo: /bin/echo\npreferred_shell: /bin/sh"),
            "");
}

}  // namespace
}  // namespace halftoned
