// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <gtest/gtest.h>

#include "check/run_program.h"

namespace halftoned {
namespace {

TEST(Program, ItsOutputsAndItsStatusAreKept) {
  const auto run =
      RunProgram({"sh", "-c", "echo out; echo wrong >&2; exit 3"}, 60);
  ASSERT_TRUE(run.ok());
  EXPECT_EQ(run->status, 3);
  EXPECT_EQ(run->out, "out\n");
  EXPECT_EQ(run->errors, "wrong\n");
  EXPECT_FALSE(run->is_late);
}

TEST(Program, IsEndedWithItsChildrenWhenItIsSilent) {
  const auto run = RunProgram({"sh", "-c", "echo begun; sleep 600; true"}, 1);
  ASSERT_TRUE(run.ok());
  EXPECT_TRUE(run->is_late);
  EXPECT_EQ(run->out, "begun\n");
}

TEST(Program, HasNothingToRead) {
  const auto run = RunProgram({"cat"}, 60);
  ASSERT_TRUE(run.ok());
  EXPECT_EQ(run->out, "");
}

TEST(Program, IsNamedIfMissing) {
  const auto run = RunProgram({"/nowhere/program"}, 60);
  ASSERT_FALSE(run.ok());
  EXPECT_NE(run.error().message.find("/nowhere/program"), std::string::npos);
}

}  // namespace
}  // namespace halftoned
