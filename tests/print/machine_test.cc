// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/process/machine.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/temporary_folder.h"
#include "config/config.h"
#include "print/limits/render_guard.h"

namespace halftoned {
namespace {

namespace fs = std::filesystem;

class ControlGroups : public ::testing::Test {
 protected:
  void Write(const std::string& file, const std::string& text) const {
    const fs::path path = fs::path(folder_.path()) / file;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  uint64_t Limit() const {
    return MemoryLimitOfGroups(folder_.path() + "/list", folder_.path());
  }

 private:
  const Result<TemporaryFolder> made_ =
      TemporaryFolder::Make(::testing::TempDir(), "groups-");
  const TemporaryFolder& folder_ = *made_;
};

TEST_F(ControlGroups, TheSmallestLimitFromTheGroupToTheRootCounts) {
  Write("list", "0::/system.slice/printers.service\n");
  EXPECT_EQ(Limit(), UINT64_MAX);
  Write("system.slice/printers.service/memory.max", "max\n");
  Write("system.slice/others.service/memory.max", "1\n");
  EXPECT_EQ(Limit(), UINT64_MAX);
  Write("system.slice/printers.service/memory.max", "3000\n");
  EXPECT_EQ(Limit(), 3000u);
  Write("system.slice/memory.max", "2000\n");
  EXPECT_EQ(Limit(), 2000u);
  Write("memory.max", "1000\n");
  EXPECT_EQ(Limit(), 1000u);
}

TEST_F(ControlGroups, AContainerSeesItsLimitAtTheRoot) {
  Write("memory.max", "1000\n");
  for (const char* list : {"0::/\n", "0::/../other\n", "0::/docker/1f\n"}) {
    Write("list", list);
    EXPECT_EQ(Limit(), 1000u) << list;
  }
}

TEST_F(ControlGroups, Version1HasAListForEachController) {
  Write("list",
        "9:name=systemd:/init\n4:memory:/box/a:b\n1:cpu,cpuacct:/\n0::/\n");
  Write("memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(Limit(), 9223372036854771712u);
  Write("memory/box/a:b/memory.limit_in_bytes", "2000\n");
  EXPECT_EQ(Limit(), 2000u);
}

TEST_F(ControlGroups, AListThatCannotBeReadIsNoLimit) {
  EXPECT_EQ(Limit(), UINT64_MAX);
  Write("list", "0:\n\nmemory:/\n");
  EXPECT_EQ(Limit(), UINT64_MAX);
}

// The memory of all renderers.
int TotalFor(RenderLimits limits, MachineMemory machine) {
  SetDefaults(limits, machine);
  return limits.total_memory;
}

// What one renderer gets.
int EachFor(RenderLimits limits, MachineMemory machine) {
  SetDefaults(limits, machine);
  return limits.memory;
}

TEST(Defaults, AllRenderersLeaveHalfOfAMachineToOthers) {
  for (const int mib : {430, 1000, 4000, 1 << 16}) {
    EXPECT_EQ(TotalFor({.memory = 0}, {mib, false}), mib / 2);
  }
  EXPECT_EQ(TotalFor({.memory = 0}, {1, false}), 1);
}

TEST(Defaults, AllRenderersGetWhatALimitAllows) {
  EXPECT_EQ(TotalFor({.memory = 0}, {354, true}), 354);
  EXPECT_EQ(TotalFor({.memory = 2000}, {354, true}), 354);
  EXPECT_EQ(TotalFor({.memory = 0, .total_memory = 100}, {354, true}), 100);
}

TEST(Defaults, AllRenderersGetWhatOneIsGiven) {
  EXPECT_EQ(TotalFor({.memory = 300}, {430, false}), 300);
  EXPECT_EQ(TotalFor({.memory = 2000}, {430, false}), 430);
}

TEST(Defaults, ARendererHasRoomForAnyPage) {
  EXPECT_EQ(EachFor({.memory = 0}, {354, true}), 354);
  EXPECT_EQ(EachFor({.memory = 0}, {1500, false}), 1024);
  EXPECT_EQ(EachFor({.memory = 0}, {1 << 16, false}), 2048);
  EXPECT_EQ(EachFor({.memory = 300}, {1500, false}), 300);
}

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
