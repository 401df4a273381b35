// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/pappl/pappl_log.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/temporary_folder.h"

namespace halftoned {
namespace {

class PapplLogTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(log_.Open().ok());
    auto pappl = Descriptor::Open(pipe_, O_WRONLY | O_APPEND | O_NOFOLLOW);
    ASSERT_TRUE(pappl.ok());
    pappl_ = std::move(*pappl);
  }

  void Say(const std::string& text) const {
    ASSERT_TRUE(WriteFully(pappl_.get(), std::as_bytes(std::span(text))).ok());
  }
  // Each without its time.
  std::vector<std::string> Lines() const {
    std::vector<std::string> lines;
    std::ifstream file(file_);
    for (std::string line; std::getline(file, line);) {
      lines.push_back(line.substr(0, 1) + line.substr(line.find(']') + 1));
    }
    return lines;
  }

  TemporaryFolder folder_ = std::move(*TemporaryFolder::Make(
      std::filesystem::temp_directory_path(), "pappl-log-"));
  const std::string pipe_ = folder_.path() + "/pipe";
  const std::string file_ = folder_.path() + "/log";
  PapplLog::Clock::time_point now_{};
  PapplLog log_{pipe_, file_, FrontLog::kWarn, [this] { return now_; }};
  Descriptor pappl_;
};

TEST_F(PapplLogTest, HasPapplsLines) {
  Say("W [2026-01-31T12:00:00.000Z] [Job 7] Out of paper.\n"
      "I [2026-01-31T12:00:00.000Z] not at this level\n"
      "E [2026-01-31T12:00:00.000Z] half");
  log_.Take();
  EXPECT_EQ(Lines(), std::vector<std::string>{"W [Job 7] Out of paper."});
  Say(" a line]\nanother\n");
  log_.Take();
  EXPECT_EQ(Lines(), (std::vector<std::string>{"W [Job 7] Out of paper.",
                                               "E half a line]", "E another"}));
}

TEST_F(PapplLogTest, LimitsTheLinesThatClientsCause) {
  for (int i = 0; i < 1000; ++i) {
    Say("E [2026-01-31T12:00:00.000Z] [Client 9] IPP read error.\n");
    log_.Take();
  }
  Say("E [2026-01-31T12:00:00.000Z] [Job 7] Unable to print.\n");
  log_.Take();
  EXPECT_EQ(Lines().size(), 101U);
  EXPECT_EQ(Lines().back(), "E [Job 7] Unable to print.");
  log_.End();
  EXPECT_EQ(Lines().back(),
            "E Lines omitted in a minute: 900 from clients in PAPPL.");
}

TEST_F(PapplLogTest, KeepsThePipeForTheNextServer) {
  PapplLog next(pipe_, file_, FrontLog::kWarn);
  EXPECT_TRUE(next.Open().ok());
  std::filesystem::remove(pipe_);
  std::ofstream(pipe_) << "x";
  EXPECT_FALSE(next.Open().ok());
}

}  // namespace
}  // namespace halftoned
