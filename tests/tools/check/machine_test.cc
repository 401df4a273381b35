// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checks on a machine of a few files: each thing that is made wrong is
// said, with what mends it.

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include "base/unix_socket.h"
#include "check/checks.h"

namespace halftoned {
namespace {

namespace fs = std::filesystem;

class Machine : public testing::Test {
 protected:
  Machine() {
    std::string name = testing::TempDir() + "halftoned-check-XXXXXX";
    folder_ = ::mkdtemp(name.data());
    fs::permissions(folder_, fs::perms(0755));
    Places& places = context_.places;
    places.configuration = folder_ + "/halftoned.conf";
    places.daemon = folder_ + "/halftoned";
    places.programs = folder_;
    places.libexec = folder_;
    places.server_bin = folder_ + "/cups";
    places.data_dir = folder_ + "/share";
    context_.config.daemon.socket = folder_ + "/halftoned.sock";
    context_.config.daemon.status_socket = folder_ + "/status.sock";
    context_.timeout = 1;
  }
  ~Machine() override { fs::remove_all(folder_); }

  std::string Write(const std::string& path, const std::string& text,
                    mode_t mode = 0644) {
    fs::create_directories(fs::path(path).parent_path());
    std::ofstream(path) << text;
    ::chmod(path.c_str(), mode);
    return path;
  }
  std::string WriteProgram(const std::string& path, const std::string& text) {
    return Write(path, "#!/bin/sh\n" + text, 0755);
  }

  // What is wrong is a sentence for each pattern, as people read it, and
  // nothing else.
  static void ExpectWrong(Findings findings,
                          const std::vector<std::string>& patterns) {
    std::erase_if(findings, [](const Finding& finding) {
      return finding.kind != FindingKind::kWrong;
    });
    ASSERT_EQ(findings.size(), patterns.size()) << Text(findings);
    for (size_t i = 0; i < patterns.size(); ++i) {
      EXPECT_TRUE(
          std::regex_search(TextOf(findings[i]), std::regex(patterns[i])))
          << TextOf(findings[i]) << "\nis not\n"
          << patterns[i];
    }
  }
  static std::string Text(const Findings& findings) {
    std::string text;
    for (const Finding& finding : findings) text += TextOf(finding) + "\n";
    return text;
  }

  std::string folder_;
  CheckContext context_;
};

class Configuration : public Machine {
 protected:
  void ExpectWrongIn(const std::string& text,
                     const std::vector<std::string>& patterns) {
    Write(path_, text);
    ExpectWrong(CheckConfiguration(context_), patterns);
  }

  const std::string path_ = context_.places.configuration;
};

TEST_F(Configuration, CanBeMissing) {
  ExpectWrong(CheckConfiguration(context_), {});
}

TEST_F(Configuration, HasNoMistakes) {
  Write(path_, "[filter]\ngamma = 2\n");
  EXPECT_EQ(CheckConfiguration(context_),
            Findings{Good(path_ + " has no mistakes")});
  EXPECT_EQ(context_.config.queues.size(), 0u);
}

TEST_F(Configuration, HasAFindingForEveryWrongLine) {
  ExpectWrongIn(
      "[filter]\ngama = 2\n[queue.laser]\ngamma = 99\n",
      {"^wrong: " + path_ +
           ", line 2: unknown key 'gama' in .filter.*; type: sudoedit " +
           path_ + "$",
       "^wrong: " + path_ + ", line 4: 'gamma' must be .*; type: "});
  ExpectWrongIn("[filter\n", {"^wrong: " + path_ + ", line 1: "});
  ExpectWrongIn("[queue.laser]\ntone-curve = \"none.curve\"\n",
                {"line 2: .*none.curve"});
}

TEST_F(Configuration, MustBeReadableByEverybody) {
  Write(path_, "", 0600);
  ExpectWrong(CheckConfiguration(context_),
              {"^wrong: " + path_ +
               " is not readable by all users.*; type: sudo chmod a\\+r " +
               path_ + "$"});
}

TEST_F(Configuration, HasTheErrorsThatTheDaemonFinds) {
  WriteProgram(
      context_.places.daemon,
      "echo \"halftoned: $2: no user 'x'\" >&2; echo more >&2; exit 1");
  ExpectWrongIn("", {"^wrong: " + path_ + ": no user 'x'; type: sudoedit "});
}

class DaemonSockets : public Machine {
 protected:
  const DaemonConfig& daemon_ = context_.config.daemon;
};

TEST_F(DaemonSockets, AreOptionalIfNothingIsInstalled) {
  ExpectWrong(CheckDaemon(context_), {});
  WriteProgram(context_.places.daemon, "");
  ExpectWrong(CheckDaemon(context_),
              {"cannot reach halftoned at .*status.sock: No "
               "such file.*; type: sudo "});
}

TEST_F(DaemonSockets, WereLeftBehind) {
  ASSERT_TRUE(ListenAt(daemon_.socket).ok());  // and closes it
  ::chmod(daemon_.socket.c_str(), 0666);
  ExpectWrong(CheckDaemon(context_),
              {"cannot reach halftoned at .*status.sock: No such file.*; type: "
               "sudo ",
               "cannot reach halftoned at .*halftoned.sock: "});
}

TEST_F(DaemonSockets, AreSilent) {
  const auto listener = ListenAt(daemon_.status_socket);
  ASSERT_TRUE(listener.ok()) << listener.error().message;
  ExpectWrong(CheckDaemon(context_),
              {"^wrong: halftoned does not reply; type: "});
}

TEST_F(DaemonSockets, AreOfAnotherGroup) {
  const auto listener = ListenAt(daemon_.socket);
  ASSERT_TRUE(listener.ok()) << listener.error().message;
  ::chmod(daemon_.socket.c_str(), 0660);
  context_.places.group = "printers";
  const std::string text = Text(CheckDaemon(context_));
  EXPECT_TRUE(std::regex_search(
      text,
      std::regex("wrong: " + daemon_.socket +
                 " belongs to the group \\S+, but CUPS runs filters with the "
                 "group printers; type: sudo chgrp printers ")))
      << text;
}

TEST_F(DaemonSockets, AreNotNeededByFiltersThatUseNone) {
  WriteProgram(context_.places.daemon, "");
  context_.config.use_of_daemon.use = false;
  EXPECT_EQ(
      CheckDaemon(context_),
      Findings{Good("filters do not use halftoned (use-daemon = false)")});
}

class Programs : public Machine {
 protected:
  const std::string worker_ = folder_ + "/worker-cpu";
};

TEST_F(Programs, CanHaveAnotherVersion) {
  WriteProgram(worker_, "echo worker-cpu " HALFTONED_VERSION);
  ExpectWrong(CheckVersions(context_), {});
  WriteProgram(worker_, "echo worker-cpu 99.9");
  ExpectWrong(
      CheckVersions(context_),
      {"^wrong: " + worker_ + " has version 99.9, but halftone has version " +
       HALFTONED_VERSION + "; install all parts "});
}

TEST_F(Programs, CanPrintNoVersion) {
  for (const char* text : {"exit 1", "echo worker-cpu", "echo 9.9; exit 1"}) {
    WriteProgram(worker_, text);
    ExpectWrong(CheckVersions(context_),
                {"^wrong: " + worker_ + " does not print its version"});
  }
}

TEST_F(Programs, AreNotRunByRootIfOthersCanChangeThem) {
  if (::geteuid() != 0) GTEST_SKIP() << "SKIPPED: only root has what to lose";
  WriteProgram(worker_, "touch " + folder_ + "/has-run");
  ::chmod(worker_.c_str(), 0775);
  ExpectWrong(CheckVersions(context_),
              {"^wrong: " + worker_ + " is writable by users other than root"});
  EXPECT_FALSE(Exists(folder_ + "/has-run"));
}

class CupsFilesOfOurs : public Machine {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "SKIPPED: cupsd runs what is root's";
    for (const std::string& program : filters_) WriteProgram(program, "");
    for (const char* name : {"/drv/halftoned.drv", "/mime/halftoned.types",
                             "/mime/halftoned.convs"}) {
      data_.push_back(Write(context_.places.data_dir + name, ""));
    }
    WriteProgram(context_.places.helper(), "");
  }

  const std::vector<std::string> filters_ = {context_.places.filter(),
                                             context_.places.pdf_filter(),
                                             context_.places.rip_filter()};
  std::vector<std::string> data_;
};

TEST_F(CupsFilesOfOurs, HaveTheOwnerAndModeThatCupsNeeds) {
  const Findings findings = CheckCupsFiles(context_);
  ExpectWrong(findings, {});
  for (const std::string& program : filters_) {
    EXPECT_NE(
        std::ranges::find(
            findings,
            Good(program + " has the owner and the mode that CUPS needs")),
        findings.end());
  }
}

TEST_F(CupsFilesOfOurs, AreMissing) {
  std::vector<std::string> files = filters_;
  files.insert(files.end(), data_.begin(), data_.end());
  for (const std::string& path : files) {
    fs::rename(path, path + ".hidden");
    ExpectWrong(CheckCupsFiles(context_),
                {"^wrong: " + path + " is missing; "});
    fs::rename(path + ".hidden", path);
  }
  ASSERT_TRUE(fs::remove(context_.places.helper()));
  ExpectWrong(CheckCupsFiles(context_),
              {"halftone-adopt is missing, so queues cannot be checked; "
               "type.* sudo cmake --install build/product$"});
  ExpectWrong(CheckQueues(context_), {});
}

TEST_F(CupsFilesOfOurs, AreNotInstalled) {
  ASSERT_TRUE(fs::remove(context_.places.filter()));
  ASSERT_TRUE(fs::remove(context_.places.helper()));
  std::vector<std::string> wrong;
  if (!context_.places.cupsd().empty()) {
    wrong = {"^wrong: .*no queue can print through it; type"};
  }
  ExpectWrong(CheckCupsFiles(context_), wrong);
  // Something else prints.
  WriteProgram(context_.places.printer_app(), "");
  const Findings findings = CheckCupsFiles(context_);
  ExpectWrong(findings, {});
  EXPECT_NE(Text(findings).find("advice: rastertohalftone is not installed"),
            std::string::npos);
}

TEST_F(CupsFilesOfOurs, AreNotRunByCups) {
  const std::string& program = filters_[0];
  ::chmod(program.c_str(), 0775);
  ExpectWrong(
      CheckCupsFiles(context_),
      {"^wrong: " + program +
       " is writable by users other than root.*; type: sudo chmod 755 " +
       program + "$"});
  ::chmod(program.c_str(), 0700);
  ExpectWrong(CheckCupsFiles(context_),
              {"is not executable by users other than root; type: sudo chmod"});
  ::chmod(program.c_str(), 0755);
  ASSERT_EQ(::chown(program.c_str(), 1, 0), 0);
  ExpectWrong(
      CheckCupsFiles(context_),
      {"^wrong: " + program +
       " does not belong to root.*; type: sudo chown root: " + program + "$"});
}

TEST_F(CupsFilesOfOurs, CannotBeReadByEverybody) {
  ::chmod(data_[1].c_str(), 0640);
  ExpectWrong(CheckCupsFiles(context_),
              {"^wrong: " + data_[1] +
               " is not readable by all users; type: sudo chmod 644 "});
}

// The programs that PATH finds are those that a test writes.
class Ghostscript : public Machine {
 protected:
  void SetUp() override {
    WriteProgram(context_.places.printer_app(), "");
    ::setenv("PATH", (folder_ + "/bin").c_str(), 1);
  }
  void TearDown() override { ::setenv("PATH", path_.c_str(), 1); }

  void WriteGs(const std::string& text) {
    WriteProgram(folder_ + "/bin/gs", text);
  }

  const std::string path_ = ::getenv("PATH");
};

TEST_F(Ghostscript, IsInstalled) {
  WriteGs("test \"$1\" = --version && echo 10.00.0");
  EXPECT_EQ(CheckRenderers(context_),
            Findings{Good("Ghostscript has version 10.00.0")});
}

TEST_F(Ghostscript, IsMissing) {
  ExpectWrong(CheckRenderers(context_),
              {"^wrong: PDF cannot be printed: Ghostscript is missing \\(gs: "
               ".*\\); .*install.* ghostscript$"});
}

TEST_F(Ghostscript, DoesNotRun) {
  WriteGs("echo gs: no libgs >&2\nexit 127\n");
  ExpectWrong(CheckRenderers(context_),
              {"^wrong: PDF cannot be printed: gs --version fails \\(gs: no "
               "libgs\\); .*ghostscript$"});
}

TEST_F(Ghostscript, DoesNotReply) {
  WriteGs("exec /bin/sleep 600\n");
  ExpectWrong(
      CheckRenderers(context_),
      {"^wrong: PDF cannot be printed: gs --version has not replied for "
       "1 seconds; "});
}

class Queues : public Machine {
 protected:
  void WriteHelper(const std::string& text) {
    WriteProgram(context_.places.helper(),
                 "test \"$1\" = queues || exit 9\n" + text);
  }
};

TEST_F(Queues, AreReportedByTheCupsProgram) {
  WriteHelper(
      "printf 'good\\tlaser: adopted\\t\\nwrong\\tink\\ttype: x\\nnoise\\n'");
  EXPECT_EQ(CheckQueues(context_),
            (Findings{Good("laser: adopted"), Wrong("ink", "type: x")}));
}

TEST_F(Queues, AreUnknownIfThatProgramFails) {
  WriteHelper("echo CUPS does not reply at /nowhere >&2; exit 1");
  ExpectWrong(CheckQueues(context_),
              {"^wrong: CUPS does not reply at /nowhere; type: sudo .*cups"});
  WriteHelper("exit 1");
  ExpectWrong(CheckQueues(context_), {"halftone-adopt has failed; type: "});
}

TEST_F(Queues, AreUnknownIfCupsDoesNotReply) {
  WriteHelper("printf 'good\\tlaser: adopted\\t\\n'; exec sleep 600");
  const Findings findings = CheckQueues(context_);
  ExpectWrong(findings, {"^wrong: CUPS has not replied for 1 seconds; "});
  EXPECT_EQ(findings[0], Good("laser: adopted"));
}

}  // namespace
}  // namespace halftoned
