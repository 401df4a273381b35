// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/supervisor/workers/choice.h"

#include <gtest/gtest.h>

#include <vector>

namespace halftoned::daemon {
namespace {

uint32_t Choose(const std::vector<Candidate>& candidates, uint32_t wanted = 0,
                uint32_t avoided = 0) {
  return ChooseWorker(candidates, wanted, avoided);
}

Candidate Serving(uint32_t number, int priority, size_t connections) {
  return {.number = number,
          .priority = priority,
          .connections = connections,
          .serves = true};
}

TEST(Choice, PrefersTheBestKindAndThenTheLeastLoadedWorker) {
  EXPECT_EQ(Choose({}), 0u);
  EXPECT_EQ(Choose({Serving(1, 0, 0), Serving(2, 1, 9)}), 2u);
  EXPECT_EQ(Choose({Serving(1, 0, 3), Serving(2, 0, 2), Serving(3, 0, 2)}), 2u);
}

TEST(Choice, TakesTheWantedWorkerOrNone) {
  EXPECT_EQ(Choose({Serving(1, 0, 0), Serving(2, 1, 0)}, 1), 1u);
  EXPECT_EQ(Choose({Serving(1, 0, 0), Serving(2, 1, 0)}, 3), 0u);
}

TEST(Choice, NeverTakesAWorkerThatDoesNotServeTheClient) {
  EXPECT_EQ(Choose({Serving(1, 0, 9), {2, 1, 0}}), 1u);
  EXPECT_EQ(Choose({{2, 1, 0}}), 0u);
  EXPECT_EQ(Choose({{2, 1, 0}}, 2), 0u);
}

TEST(Choice, NeverTakesAWorkerThatTheClientAvoids) {
  EXPECT_EQ(Choose({Serving(1, 0, 0), Serving(2, 1, 0)}, 0, 2), 1u);
  EXPECT_EQ(Choose({Serving(2, 1, 0)}, 0, 2), 0u);
  EXPECT_EQ(Choose({Serving(2, 1, 0)}, 2, 2), 0u);
}

}  // namespace
}  // namespace halftoned::daemon
