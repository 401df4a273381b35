// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/process/child.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>

namespace halftoned {
namespace {

Result<void> RunShell(const std::string& script,
                      std::optional<std::chrono::milliseconds> most) {
  HALFTONED_TRY_ASSIGN(const Stop stop, Stop::Make());
  HALFTONED_TRY_ASSIGN(Child child,
                       Child::Start({.name = "the shell",
                                     .words = {"/bin/sh", "-c", script},
                                     .environment = EnvironmentWithout({}),
                                     .input = STDIN_FILENO,
                                     .output = STDOUT_FILENO,
                                     .messages = STDERR_FILENO}));
  return child.Finish(stop, most);
}

TEST(Child, EndsInTime) {
  EXPECT_TRUE(RunShell("exit 0", std::nullopt).ok());
  EXPECT_TRUE(RunShell("exit 0", std::chrono::minutes(5)).ok());
  const Result<void> failed = RunShell("exit 3", std::chrono::minutes(5));
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().message, "the shell failed with status 3");
}

TEST(Child, ThatTakesTooLongIsAnError) {
  const Result<void> late =
      RunShell("sleep 600", std::chrono::milliseconds(1000));
  ASSERT_FALSE(late.ok());
  EXPECT_EQ(late.error().message, "the shell takes longer than 1 s");
}

}  // namespace
}  // namespace halftoned
