// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/front_log.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace halftoned {
namespace {

TEST(FrontLog, IsNotFilledByClients) {
  std::string path = "/tmp/front-log-XXXXXX";
  const int file = mkstemp(path.data());
  ASSERT_GE(file, 0);
  close(file);
  const FrontLog log(path, FrontLog::kWarn);
  log.Write(FrontLog::kInfo, "not at this level");
  for (int i = 0; i < 10 * FrontLog::kMostWarnings; ++i) {
    log.Write(FrontLog::kWarn, std::string(10000, 'x'));
  }
  log.WriteRefusal("a refusal");
  log.Write(FrontLog::kError, "an error\nof ours");
  std::ifstream lines(path);
  int warnings = 0;
  std::string last, line;
  while (std::getline(lines, line)) {
    EXPECT_LT(line.size(), FrontLog::kLongest + 64);
    warnings += line.starts_with("W ");
    last = line;
  }
  // One says that others are omitted.
  EXPECT_EQ(warnings, FrontLog::kMostWarnings + 2);
  EXPECT_TRUE(last.ends_with("an error?of ours")) << last;
  unlink(path.c_str());
}

class FrontLogFile : public ::testing::Test {
 protected:
  FrontLogFile() : log_(path_, FrontLog::kWarn) {
    std::ofstream(path_) << std::string(FrontLog::kLargest, 'x');
  }
  ~FrontLogFile() override { std::filesystem::remove_all(folder_); }

  static std::string Read(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }

  std::string folder_ = "/tmp/front-log-XXXXXX";
  const std::string path_ = std::string(mkdtemp(folder_.data())) + "/log";
  const FrontLog log_;
};

TEST_F(FrontLogFile, IsMovedOnceItIsLarge) {
  std::ofstream(path_ + ".O") << "older";
  log_.Trim();
  EXPECT_EQ(Read(path_), "");
  EXPECT_EQ(Read(path_ + ".O"), std::string(FrontLog::kLargest, 'x'));
  log_.Write(FrontLog::kError, "new");
  log_.Trim();
  EXPECT_TRUE(Read(path_).ends_with("new\n"));
  EXPECT_EQ(Read(path_ + ".O").size(), size_t(FrontLog::kLargest));
}

TEST_F(FrontLogFile, IsEmptiedWhereItCannotBeMoved) {
  std::filesystem::create_directory(path_ + ".O");
  log_.Trim();
  EXPECT_TRUE(Read(path_).ends_with("lost: " + path_ + ".O: File exists.\n"))
      << Read(path_);
}

TEST_F(FrontLogFile, IsNotMovedThroughALink) {
  std::filesystem::rename(path_, path_ + ".real");
  std::filesystem::create_symlink(path_ + ".real", path_);
  log_.Trim();
  EXPECT_EQ(Read(path_ + ".real").size(), size_t(FrontLog::kLargest));
}

}  // namespace
}  // namespace halftoned
