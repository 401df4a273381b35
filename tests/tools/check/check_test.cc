// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the checks make of what systemd, the daemon, the kernel and CUPS say.

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>

#include "check/checks.h"

namespace halftoned {
namespace {

// The wrong ones.
Findings WrongIn(const Findings& findings) {
  Findings wrong;
  std::ranges::copy_if(findings, std::back_inserter(wrong),
                       [](const Finding& finding) {
                         return finding.kind == FindingKind::kWrong;
                       });
  return wrong;
}

bool Mentions(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

TEST(Findings, PassFromProgramToProgram) {
  for (const Finding& finding :
       {Good("all is well"), Advice("a", "type: b"), Unseen("the moon"),
        Wrong("it is broken", "type: mend it")}) {
    const std::string line = LineOf(finding);
    ASSERT_TRUE(line.ends_with('\n'));
    EXPECT_EQ(FindingIn(line.substr(0, line.size() - 1)), finding);
  }
}

TEST(Findings, StayOnOneLine) {
  const std::string line = LineOf(Wrong("a\tqueue\n", "b\033[1m"));
  EXPECT_EQ(line, "wrong\ta?queue?\tb?[1m\n");
}

TEST(Findings, AreNotFoundInOtherLines) {
  for (const char* line : {"", "wrong", "wrong\ta", "bad\ta\tb"}) {
    EXPECT_FALSE(FindingIn(line)) << line;
  }
}

TEST(CupsFiles, MovePlaces) {
  Places places{.server_bin = "/a", .data_dir = "/b"};
  TakeCupsFiles(
      "# ServerBin /commented\n  serverbin /opt/cups/bin\nGroup print\n"
      "RequestRoot /spool\nTempDir\n",
      places);
  EXPECT_EQ(places.server_bin, "/opt/cups/bin");
  EXPECT_EQ(places.data_dir, "/b");
  EXPECT_EQ(places.group, "print");
  EXPECT_EQ(places.spool, "/spool");
  EXPECT_EQ(places.temporary, Places().temporary);
}

class Units : public testing::Test {
 protected:
  std::string Shown() const {
    return "Id=halftoned.service\nLoadState=loaded\nActiveState=" + service_ +
           "\nMemoryMax=" + memory_ + "\nTasksMax=infinity\n\n" +
           "Listen=" + listen_ +
           " (Stream)\nId=halftoned.socket\nLoadState=loaded\nActiveState=" +
           socket_ + "\nUnitFileState=" + enabled_ + "\n\n" +
           "Listen=/run/halftoned/status.sock (Stream)\n"
           "Id=halftoned-status.socket\nLoadState=" +
           loaded_ + "\nActiveState=active\nUnitFileState=enabled\n";
  }
  // What the only wrong thing is.
  std::string Mistake() const {
    const Findings wrong = WrongIn(UnitFindings(Shown(), context_));
    if (wrong.size() != 1) return std::to_string(wrong.size()) + " mistakes";
    EXPECT_FALSE(wrong[0].mend.empty());
    return wrong[0].what;
  }

  CheckContext context_;
  std::string service_ = "inactive", socket_ = "active", enabled_ = "enabled",
              loaded_ = "loaded", memory_ = "infinity",
              listen_ = "/run/halftoned/halftoned.sock";
};

TEST_F(Units, AreInOrder) { EXPECT_EQ(Mistake(), "0 mistakes"); }

TEST_F(Units, AreUnknownToSystemd) {
  loaded_ = "not-found";
  EXPECT_TRUE(Mentions(Mistake(), "does not know halftoned-status.socket"));
}

TEST_F(Units, AreInactive) {
  socket_ = "inactive";
  EXPECT_TRUE(Mentions(Mistake(), "halftoned.socket is not active"));
}

TEST_F(Units, AreDisabled) {
  enabled_ = "disabled";
  EXPECT_TRUE(Mentions(Mistake(), "at the next boot"));
}

TEST_F(Units, ListenElsewhereThanConfigured) {
  listen_ = "/run/elsewhere.sock";
  EXPECT_TRUE(Mentions(Mistake(), "/run/halftoned/halftoned.sock"));
}

TEST_F(Units, HaveFailed) {
  service_ = "failed";
  EXPECT_TRUE(Mentions(Mistake(), "has failed"));
}

TEST_F(Units, AllowLessThanTheConfigurationNeeds) {
  memory_ = std::to_string(uint64_t{6144} << 20);
  EXPECT_EQ(Mistake(), "0 mistakes");
  context_.config.daemon.memory = 100'000;
  EXPECT_TRUE(Mentions(Mistake(), "MemoryMax="));
  memory_ = "infinity";
  EXPECT_EQ(Mistake(), "0 mistakes");
}

std::string StatusOf(const std::string& more,
                     const std::string& state = "ready") {
  return R"({"version": ")" HALFTONED_VERSION R"(", "workers": [{"state": ")" +
         state + R"("}])" + more + "}";
}

TEST(Status, IsInOrder) {
  EXPECT_EQ(WrongIn(StatusFindings(StatusOf(""))), Findings());
}

TEST(Status, ShowsProblems) {
  const std::pair<std::string, std::string> states[] = {
      {StatusOf("", "starting"), "no ready worker"},
      {StatusOf(R"(, "kept_out": {"cuda 0": "wrong bits"})"), "wrong bits"},
      {StatusOf(R"(, "absent": {"cuda 1": "no driver"})"), "no driver"},
      {R"({"version": "0.0.1", "workers": [{"state": "ready"}]})", "0.0.1"},
      {"busy", "malformed"}};
  for (const auto& [status, what] : states) {
    const Findings wrong = WrongIn(StatusFindings(status));
    ASSERT_EQ(wrong.size(), 1u) << status;
    EXPECT_TRUE(Mentions(wrong[0].what, what)) << wrong[0].what;
  }
}

TEST(Driver, IsTooOldForTheWorker) {
  const Findings wrong =
      DriverFindings("worker-cuda 0.1.0\nCUDA 13.0, driver 12.2\n");
  ASSERT_EQ(WrongIn(wrong), wrong);
  ASSERT_EQ(wrong.size(), 1u);
  EXPECT_TRUE(Mentions(wrong[0].what, "supports CUDA 12.2")) << wrong[0].what;
  EXPECT_TRUE(Mentions(wrong[0].what, "needs CUDA 13.0")) << wrong[0].what;
}

TEST(Driver, IsNewEnough) {
  for (const char* versions :
       {"CUDA 13.0, driver 13.0", "CUDA 12.4, driver 12.2",
        "CUDA 12.9, driver 13.0", "CUDA 13.0, driver 0.0", ""}) {
    EXPECT_EQ(DriverFindings("worker-cuda 0.1.0\n" + std::string(versions)),
              Findings())
        << versions;
  }
  EXPECT_EQ(DriverFindings("worker-cuda 0.1.0"), Findings());
}

TEST(AppArmor, LetsFiltersRun) {
  constexpr char kBin[] = "/usr/lib/cups";
  EXPECT_TRUE(
      LetsFiltersRun("  /usr/lib/cups/backend/* Cx,\n"
                     "  /usr/lib/cups/filter/** Cxr -> third_party,\n",
                     kBin));
  EXPECT_FALSE(LetsFiltersRun("  /usr/lib/cups/filter/** r,\n", kBin));
  EXPECT_FALSE(LetsFiltersRun("# /usr/lib/cups/filter/** Cxr,\n", kBin));
  EXPECT_FALSE(LetsFiltersRun("  /usr/lib/cups/filter/** Cxr,\n", "/opt/cups"));
}

TEST(AppArmor, DenialsOfOursAreFound) {
  const std::string ours =
      "apparmor=\"DENIED\" operation=\"connect\" profile=\"/usr/sbin/cupsd\" "
      "name=\"/run/halftoned/halftoned.sock\"";
  EXPECT_EQ(
      DenialIn("audit: apparmor=\"DENIED\" name=\"/usr/bin/man\"\naudit: " +
               ours + "\nusb 1-1: new device\n"),
      ours);
  EXPECT_EQ(DenialIn("audit: apparmor=\"ALLOWED\" name=\"halftoned\"\n"), "");
}

TEST(Space, IsEnoughOrNot) {
  char folder[] = "/tmp/halftoned-space-XXXXXX";
  ASSERT_TRUE(::mkdtemp(folder));
  EXPECT_EQ(WrongIn(SpaceIn(folder, 0)), Findings());
  const Findings wrong = WrongIn(SpaceIn(folder, UINT64_MAX));
  ASSERT_EQ(wrong.size(), 1u);
  EXPECT_TRUE(Mentions(wrong[0].what, folder));
  ::rmdir(folder);
}

}  // namespace
}  // namespace halftoned
