// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/front_log.h"

#include <arpa/inet.h>
#include <cups/http.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "printer_app/front/callers/callers.h"
#include "printer_app/front/callers/network.h"

namespace halftoned {
namespace {

class FrontLogTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const int file = mkstemp(path_.data());
    ASSERT_GE(file, 0);
    close(file);
    log_.emplace(path_, FrontLog::kInfo, [this] { return now_; });
  }
  ~FrontLogTest() override { unlink(path_.c_str()); }

  // Each without its time.
  std::vector<std::string> Lines() const {
    std::vector<std::string> lines;
    std::ifstream file(path_);
    for (std::string line; std::getline(file, line);) {
      EXPECT_LT(line.size(), FrontLog::kLongest + 64);
      lines.push_back(line.substr(0, 1) + line.substr(line.find(']') + 1));
    }
    return lines;
  }

  std::string path_ = "/tmp/front-log-XXXXXX";
  FrontLog::Clock::time_point now_{};
  std::optional<FrontLog> log_;
};

TEST_F(FrontLogTest, LimitsEachKindAndLevelByItself) {
  constexpr FrontLog::Kind kKinds[] = {FrontLog::kUsual, FrontLog::kKept,
                                       FrontLog::kRefusal};
  constexpr FrontLog::Level kLevels[] = {FrontLog::kInfo, FrontLog::kWarn,
                                         FrontLog::kError};
  size_t most = 0;
  for (const FrontLog::Kind kind : kKinds) {
    for (const FrontLog::Level level : kLevels) {
      log_->Write(FrontLog::kDebug, "not at this level");
      for (int i = 0; i < 2000; ++i) {
        log_->Write(level, std::string(10000, 'x'), LogLimit::Client{"uid 1"},
                    kind);
      }
      log_->Write(level, "another", LogLimit::Client{"uid 2"}, kind);
      most += 1 + static_cast<size_t>(kind == FrontLog::kKept
                                          ? FrontLog::kMostKept.of_client
                                          : FrontLog::kMostUsual.of_client);
      const auto lines = Lines();
      ASSERT_EQ(lines.size(), most);
      EXPECT_TRUE(lines.back().ends_with(" another")) << lines.back();
    }
  }
}

TEST_F(FrontLogTest, CountsWhatItLeavesOut) {
  for (int i = 0; i < 2000; ++i) {
    log_->Write(FrontLog::kInfo, "GET", LogLimit::Client{"uid 1"});
  }
  log_->Report();
  EXPECT_EQ(Lines().back(), "I GET");
  now_ += LogLimit::kWindow;
  log_->Report();
  EXPECT_EQ(Lines().back(), "I Lines omitted in a minute: 1900 from uid 1.");
  log_->Report();
  EXPECT_EQ(Lines().size(), 101u);
}

TEST_F(FrontLogTest, CountsWhatItLeavesOutBeforeTheServerEnds) {
  for (int i = 0; i < 101; ++i) {
    log_->Write(FrontLog::kWarn, "Bad", LogLimit::Client{"uid 1"});
  }
  log_->ReportAll();
  EXPECT_EQ(Lines().back(), "W Lines omitted in a minute: 1 from uid 1.");
}

TEST_F(FrontLogTest, CountsTheAddressesOfAnIpv6NetworkTogether) {
  http_addr_t address = {};
  address.ipv6.sin6_family = AF_INET6;
  ASSERT_EQ(inet_pton(AF_INET6, "2001:db8::1", &address.ipv6.sin6_addr), 1);
  for (int i = 0; i < 1000; ++i) {
    ++address.ipv6.sin6_addr.s6_addr[i % 2 == 0 ? 8 : 15];
    log_->Write(FrontLog::kWarn, "No access",
                CallerOf({.is_local = false}, OriginOf(address)),
                FrontLog::kRefusal);
  }
  EXPECT_EQ(Lines().size(), size_t(FrontLog::kMostUsual.of_client));
  log_->ReportAll();
  EXPECT_EQ(Lines().back(),
            "W Lines omitted in a minute: 900 from 2001:db8::/64.");
}

TEST_F(FrontLogTest, HasRoomForUsersOfThisMachine) {
  for (int i = 0; i < 1000; ++i) {
    log_->Write(FrontLog::kWarn, "No access",
                CallerOf({.is_local = false}, OriginOf(std::to_string(i))),
                FrontLog::kRefusal);
  }
  log_->Write(FrontLog::kWarn, "of a user",
              CallerOf({.is_local = true, .uid = 0}, OriginOf(uid_t{0})),
              FrontLog::kRefusal);
  EXPECT_EQ(Lines().back(), "W of a user");
}

TEST_F(FrontLogTest, WritesALineOfTextOnly) {
  log_->Write(FrontLog::kError, "an error\nof ours");
  EXPECT_EQ(Lines(), std::vector<std::string>{"E an error?of ours"});
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
