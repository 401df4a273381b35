// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/front_log.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <fstream>
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
  log.Write(FrontLog::kError, "an error\nof ours");
  std::ifstream lines(path);
  int warnings = 0;
  std::string last, line;
  while (std::getline(lines, line)) {
    EXPECT_LT(line.size(), FrontLog::kLongest + 64);
    warnings += line.starts_with("W ");
    last = line;
  }
  EXPECT_EQ(warnings, FrontLog::kMostWarnings + 1);
  EXPECT_TRUE(last.ends_with("an error?of ours")) << last;
  unlink(path.c_str());
}

}  // namespace
}  // namespace halftoned
