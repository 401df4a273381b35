// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/render/machine_room.h"

#include <gtest/gtest.h>

namespace halftoned {
namespace {

TEST(MachineRoom, ASmallBoardHasOneRendererWhateverItsCores) {
  EXPECT_EQ(RenderersFor(4, 430), 1);
  EXPECT_EQ(RenderersFor(4, 1), 1);
}

TEST(MachineRoom, RenderersGrowWithMemoryUpToTheCores) {
  EXPECT_EQ(RenderersFor(4, 920), 3);
  EXPECT_EQ(RenderersFor(4, 4000), 4);
  EXPECT_EQ(RenderersFor(1, 4000), 1);
}

TEST(MachineRoom, PagesThatWaitTakeAnEighthUpToALimit) {
  EXPECT_EQ(WaitingMemoryFor(430), 53);
  EXPECT_EQ(WaitingMemoryFor(1920), 240);
  EXPECT_EQ(WaitingMemoryFor(1 << 20), 256);
  EXPECT_EQ(WaitingMemoryFor(1), 1);
}

}  // namespace
}  // namespace halftoned
