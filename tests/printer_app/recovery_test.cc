// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What becomes of jobs at the next start, by the marks of their documents.

#include "printer_app/jobs/recovery.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "printer_app/jobs/spool.h"

namespace halftoned {
namespace {

namespace fs = std::filesystem;

constexpr char kHeld[] = "state=\"4\"";
constexpr char kAborted[] = "state=\"8\"";
constexpr char kCompleted[] = "state=\"9\"";

class RecoveryTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_NE(mkdtemp(spool_.data()), nullptr);
    document_ = spool_ + "/p00001j000000007-title.pcl";
    std::ofstream(document_) << "\033E";
    ASSERT_TRUE(MarkWhole(document_));
  }
  void TearDown() override { fs::remove_all(spool_); }

  // The line of the job, and what the log says of it.
  std::string Recover(bool has_crashed) {
    const std::string state =
        "<Printer id=\"1\" name=\"office\" driver=\"pcl5e\">\n"
        "Job id=\"7\" name=\"title\" username=\"tester\" "
        "format=\"application/vnd.hp-pcl\" state=\"5\"\n"
        "</Printer>\n";
    const Recovery recovery = RecoverJobs(state, spool_, 1, has_crashed);
    EXPECT_EQ(recovery.notes.size(), 1U);
    const size_t job = recovery.state.find("Job ");
    return recovery.state.substr(job, recovery.state.find('\n', job) - job) +
           recovery.notes.front();
  }
  void ExpectWaiting(const std::string& found, const char* note) {
    EXPECT_NE(found.find(kHeld), found.npos) << found;
    EXPECT_NE(found.find(note), found.npos) << found;
    EXPECT_TRUE(fs::exists(document_));
  }
  void ExpectEnded(const std::string& found, const char* state,
                   const char* note) {
    EXPECT_NE(found.find(state), found.npos) << found;
    EXPECT_NE(found.find(note), found.npos) << found;
    EXPECT_FALSE(fs::exists(document_));
  }

  std::string spool_ = "/tmp/recovery-XXXXXX";
  std::string document_;
};

TEST_F(RecoveryTest, AJobThatHadNotBegunWaits) {
  for (const bool has_crashed : {true, true, false}) {
    ExpectWaiting(Recover(has_crashed), "waits as before");
  }
}

TEST_F(RecoveryTest, AJobThatTheServerIsKilledInPrintsAgain) {
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(MarkBegun(document_));
    ExpectWaiting(Recover(false), "is printed again");
    // That it had begun is forgotten.
    ExpectWaiting(Recover(true), "waits as before");
    EXPECT_FALSE(IsSuspect(document_));
  }
}

TEST_F(RecoveryTest, AJobThatCrashesTheServerPrintsOnceMore) {
  ASSERT_TRUE(MarkBegun(document_));
  ExpectWaiting(Recover(true), "is printed again");
  EXPECT_TRUE(IsSuspect(document_));
  // Others crash it, or somebody kills it.
  ExpectWaiting(Recover(true), "waits as before");
  ASSERT_TRUE(MarkBegun(document_));
  ExpectWaiting(Recover(false), "is printed again");
  EXPECT_TRUE(IsSuspect(document_));
  ASSERT_TRUE(MarkBegun(document_));
  ExpectEnded(Recover(true), kAborted, "ended twice while it printed");
}

TEST_F(RecoveryTest, AJobThatThePrinterHasIsCompleted) {
  ASSERT_TRUE(MarkBegun(document_) && MarkSent(document_));
  ExpectEnded(Recover(true), kCompleted, "the printer has all of it");
}

}  // namespace
}  // namespace halftoned
