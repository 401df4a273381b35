// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/kept/job_records.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "tests/printer_app/few_descriptors.h"

namespace halftoned {
namespace {

namespace fs = std::filesystem;

using Lines = std::map<JobNumber, std::string>;

class JobRecordsTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_NE(mkdtemp(folder_.data()), nullptr); }
  void TearDown() override { fs::remove_all(folder_); }

  JobRecords::Found Find() const {
    auto found = JobRecords(folder_).Read();
    EXPECT_TRUE(found.ok());
    return found.ok() ? *found : JobRecords::Found();
  }
  Lines Read() const { return Find().lines; }
  void Put(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ + '/' + name, std::ios::binary) << text;
  }

  std::string folder_ = "/tmp/job-records-XXXXXX";
};

std::string Ended(int job) {
  return "Job id=\"" + std::to_string(job) + "\" state=\"9\"";
}

TEST_F(JobRecordsTest, AreReadAsTheyWereWritten) {
  JobRecords records(folder_);
  const Lines lines = {{{1, 7}, "Job id=\"7\" state=\"4\""},
                       {{1, 123456789}, "Job id=\"8\" state=\"4\""},
                       {{123456, 1}, "Job id=\"1\" name=\"\\\"\""}};
  for (const auto& [number, line] : lines) {
    ASSERT_TRUE(records.Write(number, line, false).ok());
  }
  EXPECT_EQ(Read(), lines);
  ASSERT_TRUE(records.Write({1, 7}, Ended(7), true).ok());
  EXPECT_EQ(Read().at({1, 7}), Ended(7));
}

TEST_F(JobRecordsTest, AreWrittenAloneAndWhole) {
  JobRecords records(folder_);
  ASSERT_TRUE(records.Write({1, 1}, Ended(1), false).ok());
  const auto before = fs::last_write_time(folder_ + "/p00001j000000001");
  // Neither is written to.
  fs::permissions(folder_ + "/p00001j000000001", fs::perms::none);
  ASSERT_TRUE(records.Write({1, 2}, Ended(2), true).ok());
  EXPECT_EQ(fs::last_write_time(folder_ + "/p00001j000000001"), before);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 2);
}

TEST_F(JobRecordsTest, OthersAreRemoved) {
  Put("p00001j000000001", "Job id=\"1\"\n");
  const std::string good = "Job id=\"1\"";
  Put("p00001j000000002", "Job id=\"2\"");  // torn
  Put("p00001j000000003", "");
  Put("p00001j000000004", "</Printer>\n");
  Put("p00001j000000005", std::string("Job \0\n", 6));
  Put("p00001j000000006", "Job " + std::string(10000, 'x') + '\n');
  Put("p1j7", "Job id=\"7\"\n");
  Put("p00001j000000008-title", "Job id=\"8\"\n");
  Put("p00001j000000009.next", "Job id=\"9\"\n");
  fs::create_symlink(folder_ + "/p00001j000000001",
                     folder_ + "/p00001j000000010");
  ASSERT_EQ(mkfifo((folder_ + "/p00001j000000011").c_str(), 0600), 0);
  const JobRecords::Found found = Find();
  EXPECT_EQ(found.lines, (Lines{{{1, 1}, good}}));
  EXPECT_EQ(found.damaged.size(), 9U);
  EXPECT_FALSE(std::ranges::count(found.damaged, "p00001j000000009.next"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);
}

TEST_F(JobRecordsTest, AreNotDamagedIfFewFilesCanBeOpened) {
  ASSERT_TRUE(JobRecords(folder_).Write({1, 1}, Ended(1), true).ok());
  {
    const FewDescriptors none(0);
    EXPECT_FALSE(JobRecords(folder_).Read().ok());
  }
  const FewDescriptors one(1);
  EXPECT_EQ(Read(), (Lines{{{1, 1}, Ended(1)}}));
}

TEST_F(JobRecordsTest, TheOldestOfEndedJobsGoFirst) {
  JobRecords records(folder_, 3);
  ASSERT_TRUE(records.Write({1, 1}, "Job id=\"1\" state=\"4\"", false).ok());
  for (int job = 2; job < 10; ++job) {
    ASSERT_TRUE(records.Write({1, job}, Ended(job), true).ok());
    ASSERT_TRUE(records.Write({2, 1 + job % 2}, Ended(1), true).ok());
  }
  JobRecords next(folder_, 2);
  const auto found = next.Read();
  ASSERT_TRUE(found.ok());
  const Lines& lines = found->lines;
  EXPECT_EQ(lines.size(), 1U + 3 + 2);
  EXPECT_TRUE(lines.contains({1, 1}) && lines.contains({1, 7}));
  EXPECT_FALSE(lines.contains({1, 6}));
  ASSERT_TRUE(next.Write({1, 20}, Ended(20), true).ok());
  EXPECT_EQ(Read().size(), 1U + 2 + 2);
  EXPECT_TRUE(Read().contains({1, 9}));
  next.RemovePrinter(1);
  EXPECT_EQ(Read().size(), 2U);
}

TEST_F(JobRecordsTest, SayWhenTheyCannotBeReadOrWritten) {
  JobRecords records(folder_ + "/none");
  EXPECT_FALSE(records.Read().ok());
  EXPECT_FALSE(records.Write({1, 1}, Ended(1), true).ok());
}

}  // namespace
}  // namespace halftoned
