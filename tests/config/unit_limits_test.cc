// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What configurations need of systemd's unit.

#include "config/unit_limits.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace halftoned {
namespace {

constexpr int kManyProcessors = 1000;

TEST(UnitLimits, AreEnoughForTheDefaultWithAnyThreadsAndOneGpu) {
  EXPECT_EQ(Lack(NeedsOf({}, 1, kManyProcessors), OwnUnit()), "");
  EXPECT_NE(Lack(NeedsOf({}, 2, 1), OwnUnit()), "");
}

TEST(UnitLimits, GrowWithTheConfiguration) {
  DaemonConfig config;
  const UnitLimits least = NeedsOf(config, 0, 1);
  // While workers are replaced there are two of each.
  EXPECT_EQ(NeedsOf(config, 0, 3).tasks, least.tasks + 4);
  config.memory += 1000;
  EXPECT_EQ(NeedsOf(config, 0, 1).memory_mib, least.memory_mib + 2000);
  config.threads = 11;  // however many processors there are
  EXPECT_EQ(NeedsOf(config, 0, 1).tasks, least.tasks + 20);
  // Each GPU's worker has the memory for pages, and more.
  EXPECT_GT(NeedsOf(config, 8, 1).memory_mib, 18u * 2024);
  EXPECT_GT(NeedsOf(config, 8, 1).tasks, NeedsOf(config, 1, 1).tasks);
}

TEST(UnitLimits, AreReportedIfTooLow) {
  EXPECT_EQ(Lack({1, 2}, {1, 2}), "");
  EXPECT_EQ(Lack({2, 2}, {1, 2}), "MemoryMax=2M");
  EXPECT_EQ(Lack({1, 3}, {1, 2}), "TasksMax=3");
  EXPECT_EQ(Lack({2, 3}, {1, 2}), "MemoryMax=2M TasksMax=3");
}

class Group : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_NE(::mkdtemp(folder_.data()), nullptr); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void Write(const std::string& name, const std::string& text) {
    const auto path = std::filesystem::path(folder_) / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  UnitLimits Read() const {
    return LimitsOfGroup(folder_ + "/proc", folder_ + "/groups");
  }

  std::string folder_ = "/tmp/halftoned-XXXXXX";
  static constexpr UnitLimits kNone{UINT64_MAX, UINT64_MAX};
};

TEST_F(Group, ReadsItsLimits) {
  Write("proc", "1:cpu:/other\n0::/a.slice/b.service\n");
  Write("groups/a.slice/b.service/memory.max", "6442450944\n");
  Write("groups/a.slice/b.service/pids.max", "1024\n");
  EXPECT_EQ(Read(), (UnitLimits{6144, 1024}));
  Write("groups/a.slice/b.service/memory.max", "max\n");
  EXPECT_EQ(Read(), (UnitLimits{UINT64_MAX, 1024}));
}

TEST_F(Group, AllowsAnythingIfUnlimited) {
  EXPECT_EQ(Read(), kNone);
  Write("proc", "");
  EXPECT_EQ(Read(), kNone);
  Write("proc", "1:cpu:/other\n");
  EXPECT_EQ(Read(), kNone);
  Write("proc", "0::/");
  EXPECT_EQ(Read(), kNone);
}

}  // namespace
}  // namespace halftoned
