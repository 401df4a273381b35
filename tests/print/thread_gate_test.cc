// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gates of two filters on one machine share its slots, and can never keep a
// job from being printed.

#include "print/engines/thread_gate.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <string>

namespace halftoned {
namespace {

TEST(ThreadGate, AdmitsNoMoreThreadsThanSlots) {
  const std::string file = ::testing::TempDir() + "halftoned-gate-slots";
  std::remove(file.c_str());
  ThreadGate one(file, 2);
  ThreadGate other(file, 2);
  EXPECT_TRUE(one.TryEnter(0));
  EXPECT_TRUE(other.TryEnter(0));
  EXPECT_FALSE(one.TryEnter(1));
  EXPECT_FALSE(other.TryEnter(1));
  one.Leave(0);
  EXPECT_TRUE(other.TryEnter(1));
  EXPECT_FALSE(one.TryEnter(0));
  std::remove(file.c_str());
}

TEST(ThreadGate, ReleasesTheSlotsOfAFilterThatHasEnded) {
  const std::string file = ::testing::TempDir() + "halftoned-gone-slots";
  std::remove(file.c_str());
  ThreadGate stays(file, 1);
  {
    ThreadGate goes(file, 1);
    ASSERT_TRUE(goes.TryEnter(0));
    EXPECT_FALSE(stays.TryEnter(0));
  }
  EXPECT_TRUE(stays.TryEnter(0));
  std::remove(file.c_str());
}

TEST(ThreadGate, DoesNotWaitForeverForStoppedHolders) {
  const std::string file = ::testing::TempDir() + "halftoned-still-slots";
  std::remove(file.c_str());
  ThreadGate still(file, 1);
  ASSERT_TRUE(still.TryEnter(0));
  ThreadGate gate(file, 1, std::chrono::milliseconds(0));
  EXPECT_TRUE(gate.TryEnter(0));
  gate.Leave(0);
  EXPECT_TRUE(gate.TryEnter(0));
  gate.Leave(0);
  // It does not release a slot that it never had.
  ThreadGate third(file, 1);
  EXPECT_FALSE(third.TryEnter(0));
  still.Leave(0);
  EXPECT_TRUE(third.TryEnter(0));
  std::remove(file.c_str());
}

TEST(ThreadGate, IsOpenIfThereAreNoSlots) {
  ThreadGate gate("/nowhere/slots", 1);
  EXPECT_TRUE(gate.TryEnter(0));
  EXPECT_TRUE(gate.TryEnter(1));
  gate.Leave(0);
  gate.Leave(1);
}

}  // namespace
}  // namespace halftoned
