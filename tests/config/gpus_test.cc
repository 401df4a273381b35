// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which GPUs get a worker.

#include "config/gpus.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace halftoned {
namespace {

using Names = std::vector<std::string>;

class Gpus : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_NE(::mkdtemp(folder_.data()), nullptr); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void Make(const std::string& name) {
    std::ofstream(std::filesystem::path(folder_) / name) << "";
  }

  std::string folder_ = "/tmp/halftoned-XXXXXX";
};

TEST_F(Gpus, AreAllWithDeviceNodes) {
  EXPECT_EQ(GpusOf({}, folder_), Names{});
  for (const char* name :
       {"nvidia", "nvidiactl", "nvidia-uvm", "nvidia1x", "xnvidia0", "null"}) {
    Make(name);
  }
  EXPECT_EQ(GpusOf({}, folder_), Names{});
  Make("nvidia0");
  Make("nvidia12");
  EXPECT_EQ(GpusOf({}, folder_), (Names{"0", "1"}));
}

TEST_F(Gpus, AreOnlyTheConfiguredOnes) {
  Make("nvidia0");
  EXPECT_EQ(GpusOf({.all = false}, folder_), Names{});
  EXPECT_EQ(GpusOf({.all = false, .uuids = {"GPU-1", "MIG-2"}}, folder_),
            (Names{"GPU-1", "MIG-2"}));
}

TEST_F(Gpus, AreNoneIfNothingCanBeRead) {
  EXPECT_EQ(GpusOf({}, folder_ + "/nowhere"), Names{});
}

}  // namespace
}  // namespace halftoned
