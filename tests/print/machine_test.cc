// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/process/machine.h"

#include <gtest/gtest.h>

namespace halftoned {
namespace {

TEST(Machine, ASmallBoardHasOneRendererWhateverItsCores) {
  EXPECT_EQ(RenderersFor(4, 430), 1);
  EXPECT_EQ(RenderersFor(4, 1), 1);
}

TEST(Machine, RenderersGrowWithMemoryUpToTheCores) {
  EXPECT_EQ(RenderersFor(4, 920), 3);
  EXPECT_EQ(RenderersFor(4, 4000), 4);
  EXPECT_EQ(RenderersFor(1, 4000), 1);
}

TEST(Machine, PagesThatWaitTakeAnEighthUpToALimit) {
  EXPECT_EQ(WaitingMemoryFor(430), 53);
  EXPECT_EQ(WaitingMemoryFor(1920), 240);
  EXPECT_EQ(WaitingMemoryFor(1 << 20), 256);
  EXPECT_EQ(WaitingMemoryFor(1), 1);
}

}  // namespace
}  // namespace halftoned
