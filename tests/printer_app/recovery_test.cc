// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The recovery of jobs at the next start, from the marks of their documents.

#include "printer_app/kept/recovery.h"

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "printer_app/front/rules/message.h"
#include "printer_app/kept/spool.h"
#include "printer_app/kept/whole_file.h"
#include "tests/printer_app/few_descriptors.h"

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
    WriteAttributes(document_);
  }
  void TearDown() override { fs::remove_all(spool_); }

  static void WriteAttributes(const std::string& document) {
    const Ipp attributes(ippNew());
    ippAddString(attributes.get(), IPP_TAG_JOB, IPP_TAG_KEYWORD,
                 "job-hold-until", nullptr, "halftone-night");
    ASSERT_TRUE(
        WriteWhole(AttributesOf(document), WriteIpp(attributes.get())).ok());
  }
  bool IsHeld() const {
    std::ifstream file(AttributesOf(document_), std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str().find("job-hold-until") != std::string::npos;
  }

  // The line of the job, and what the log says of it.
  std::string Recover(bool has_crashed) {
    const std::string state =
        "<Printer id=\"1\" name=\"office\" driver=\"pcl5e\">\n"
        "Job id=\"7\" name=\"title\" username=\"tester\" "
        "format=\"application/vnd.hp-pcl\" state=\"5\"\n"
        "</Printer>\n";
    Result<Recovery> recovered = RecoverJobs(state, spool_, 1, has_crashed);
    if (!recovered.ok()) return recovered.error().message;
    const Recovery recovery = std::move(*recovered);
    EXPECT_EQ(recovery.notes.size(), 1U);
    const bool has_ended = !fs::exists(document_);
    EXPECT_EQ(recovery.ended.contains({1, 7}), has_ended);
    EXPECT_EQ(recovery.others.contains({1, 7}), !has_ended);
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
                   const std::string& note) {
    EXPECT_NE(found.find(state), found.npos) << found;
    EXPECT_NE(found.find(note), found.npos) << found;
    EXPECT_TRUE(fs::is_empty(spool_));
  }

  std::string spool_ = "/tmp/recovery-XXXXXX";
  std::string document_;
};

TEST_F(RecoveryTest, AJobThatHadNotBegunWaits) {
  for (const bool has_crashed : {true, true, false}) {
    ExpectWaiting(Recover(has_crashed), "waits as before");
  }
  EXPECT_TRUE(IsHeld());
}

TEST_F(RecoveryTest, NoJobEndsWhileFilesCannotBeRead) {
  {
    const FewDescriptors none(0);
    EXPECT_EQ(Recover(false), spool_ + ": Too many open files");
  }
  const FewDescriptors one(1);
  ExpectWaiting(Recover(false), "waits as before");
}

// Each read() of this thread fails from now on, as on a damaged disk. False if
// that is impossible here.
bool FailReads() {
  sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_read, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EIO),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program = {std::size(code), code};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

TEST_F(RecoveryTest, AJobThatADamagedDiskFailsToReadIsAborted) {
  bool fails = false;
  std::string found;
  std::thread([&] {
    fails = FailReads();
    if (fails) found = Recover(false);
  }).join();
  if (!fails) GTEST_SKIP() << "this system has no seccomp";
  ExpectEnded(found, kAborted,
              "is aborted: " + document_ + ": cannot read: Input/output error");
}

TEST_F(RecoveryTest, AJobThatHadBegunWaitsForNoTimeAnyMore) {
  ASSERT_TRUE(MarkBegun(document_));
  Recover(false);
  EXPECT_FALSE(IsHeld());
  EXPECT_TRUE(*HasAttributes(document_));
}

TEST_F(RecoveryTest, AJobWhoseSettingsAreTornIsAborted) {
  fs::resize_file(AttributesOf(document_), 20);
  ExpectEnded(Recover(false), kAborted, "its settings were not kept");
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

// Jobs 1, 2, …, each of the printer of the same number.
class SuspectsTest : public RecoveryTest {
 protected:
  using Jobs = std::vector<int>;

  void SetUp() override { ASSERT_NE(mkdtemp(spool_.data()), nullptr); }

  std::string DocumentOf(int job) const {
    const std::string number = std::to_string(job);
    return spool_ + "/p0000" + number + "j00000000" + number + "-title.pcl";
  }
  int64_t MarkedOf(int job) const {
    return SpooledJobs(spool_)->at({job, job}).marked;
  }
  void Submit(const Jobs& jobs) {
    for (const int job : jobs) {
      std::ofstream(DocumentOf(job)) << "\033E";
      ASSERT_TRUE(MarkWhole(DocumentOf(job)));
      WriteAttributes(DocumentOf(job));
      state_ += "<Printer id=\"" + std::to_string(job) +
                "\" driver=\"pcl5e\">\nJob id=\"" + std::to_string(job) +
                "\" name=\"title\" username=\"tester\" "
                "format=\"application/vnd.hp-pcl\" state=\"5\"\n"
                "</Printer>\n";
    }
  }
  // The jobs that are aborted after these have begun, in this order.
  Jobs CrashIn(const Jobs& begun) {
    int64_t last = 0;
    for (const int job : begun) {
      do {
        EXPECT_TRUE(MarkBegun(DocumentOf(job)));
      } while (MarkedOf(job) <= last);  // The clock of a disk can be slow.
      last = MarkedOf(job);
    }
    Jobs aborted;
    const auto before = SpooledJobs(spool_);
    EXPECT_TRUE(RecoverJobs(state_, spool_, 1, true).ok());
    for (const auto& [number, job] : *before) {
      if (!fs::exists(job.document)) aborted.push_back(number.job);
    }
    return aborted;
  }

  std::string state_;
};

TEST_F(SuspectsTest, OnlyTheOneThatPrintsAtTheNextCrashIsAborted) {
  Submit({1, 2, 3});
  EXPECT_EQ(CrashIn({1, 2, 3}), Jobs{});
  EXPECT_EQ(CrashIn({2}), Jobs{2});
  EXPECT_TRUE(IsSuspect(DocumentOf(1)) && IsSuspect(DocumentOf(3)));
}

TEST_F(SuspectsTest, AreSparedOnceIfOtherJobsPrintedToo) {
  Submit({1, 2, 3});
  EXPECT_EQ(CrashIn({1, 2}), Jobs{});
  // A new job that crashes the program, too.
  EXPECT_EQ(CrashIn({1, 3}), Jobs{});
  EXPECT_EQ(CrashIn({3}), Jobs{3});
  Submit({4, 5});
  EXPECT_EQ(CrashIn({2, 4}), Jobs{});
  EXPECT_EQ(CrashIn({2, 5}), Jobs{2});
}

TEST_F(SuspectsTest, AreNotAbortedForOneThatBeganLater) {
  Submit({1, 2});
  EXPECT_EQ(CrashIn({1, 2}), Jobs{});
  // Job 2 began when job 1 had printed for long.
  EXPECT_EQ(CrashIn({1, 2}), Jobs{2});
  Submit({3});
  EXPECT_EQ(CrashIn({3}), Jobs{});
  EXPECT_EQ(CrashIn({3, 1}), Jobs{1});
}

TEST_F(RecoveryTest, AJobThatThePrinterHasIsCompleted) {
  ASSERT_TRUE(MarkBegun(document_) && MarkSent(document_) &&
              MarkSent(document_, false));
  ExpectWaiting(Recover(false), "is printed again");
  ASSERT_TRUE(MarkBegun(document_) && MarkSent(document_));
  ExpectEnded(Recover(true), kCompleted, "the printer has all of it");
}

TEST_F(RecoveryTest, AJobThatHasFailedIsAborted) {
  ASSERT_TRUE(MarkBegun(document_) && MarkFailed(document_) &&
              MarkSent(document_));
  ExpectEnded(Recover(false), kAborted, "it had failed");
}

TEST_F(RecoveryTest, DocumentsWhosePrinterIsRemovedAreCounted) {
  const std::string other =
      "<Printer id=\"2\" name=\"office\" driver=\"pcl5e\">\n</Printer>\n";
  const Result<Recovery> recovery = RecoverJobs(other, spool_, 1, false);
  ASSERT_TRUE(recovery.ok());
  EXPECT_EQ(recovery->notes,
            std::vector<std::string>{
                "1 waiting document is removed: the printers are no longer in "
                "printers.state."});
  EXPECT_TRUE(fs::is_empty(spool_));
  EXPECT_TRUE(RecoverJobs("", spool_, 1, false)->notes.empty());
}

TEST(WithJobs, HasRecordsInPlaceOfLines) {
  EXPECT_EQ(WithJobs("<Printer id=\"1\" name=\"a\">\nNextJobId 3\n"
                     "Job id=\"1\" state=\"4\"\nJob id=\"2\" state=\"4\"\n"
                     "</Printer>\n",
                     {{{1, 1}, "Job id=\"1\" state=\"9\""}}),
            "<Printer id=\"1\" name=\"a\">\nNextJobId 3\n"
            "Job id=\"2\" state=\"4\"\nJob id=\"1\" state=\"9\"\n</Printer>\n");
}

TEST(WithJobs, HasEachJobInItsPrinter) {
  EXPECT_EQ(WithJobs("NextPrinterID 4\n"
                     "<Printer id=\"1\" name=\"a\">\nNextJobId 3\n</Printer>\n"
                     "<Printer id=\"2\" name=\"b\">\nNextJobId 30\n</Printer>\n"
                     "<Printer id=\"3\" name=\"c\">\nNextJobId 1\n</Printer>\n",
                     {{{1, 10}, "Job id=\"10\""},
                      {{1, 9}, "Job id=\"9\""},
                      {{2, 1}, "Job id=\"1\""},
                      {{4, 1}, "Job id=\"1\" name=\"of no printer\""}}),
            "NextPrinterID 4\n"
            "<Printer id=\"1\" name=\"a\">\nNextJobId 11\n"
            "Job id=\"9\"\nJob id=\"10\"\n</Printer>\n"
            "<Printer id=\"2\" name=\"b\">\nNextJobId 30\n"
            "Job id=\"1\"\n</Printer>\n"
            "<Printer id=\"3\" name=\"c\">\nNextJobId 1\n</Printer>\n");
}

TEST_F(RecoveryTest, ALongLineTakesNoOtherPrinterWithIt) {
  std::string quotes;
  for (int i = 0; i < 1000; ++i) quotes += "\\\"";
  const auto printer = [](int id, const std::string& device_id,
                          const std::string& uri) {
    return "<Printer did=\"" + device_id + "\" driver=\"pcl5e\" id=\"" +
           std::to_string(id) + "\" name=\"a\" uri=\"" + uri + "\">\n";
  };
  const std::string rest = "Location here\n</Printer>\n";
  const std::string job =
      "Job id=\"7\" name=\"title\" username=\"tester\" "
      "format=\"application/vnd.hp-pcl\" state=\"5\"\n";
  const Result<Recovery> recovery =
      RecoverJobs(printer(2, "MDL:L;X:" + quotes, "socket://x") + rest +
                      printer(1, "MDL:L;", "socket://" + quotes) + job + rest +
                      printer(3, "MDL:M;", "socket://y") + "Location " +
                      std::string(2100, 'x') + '\n' + rest,
                  spool_, 1, false);
  ASSERT_TRUE(recovery.ok());
  const std::string blanks = "X:" + std::string(150, ' ') + ';';
  EXPECT_EQ(recovery->state, printer(2, "MDL:L;" + blanks, "socket://x") +
                                 rest + printer(3, "MDL:M;", "socket://y") +
                                 rest);
  // Printers that PAPPL does not get keep their jobs.
  EXPECT_TRUE(recovery->others.contains({1, 7}));
  EXPECT_TRUE(fs::exists(document_));
}

}  // namespace
}  // namespace halftoned
