// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// halftone-rip: a CUPS filter in place of foomatic-rip, which it runs. The
// Ghostscript that foomatic-rip and its wrappers find is also this program,
// through a link named gs.

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <string_view>

#include "base/descriptor.h"
#include "base/libexec.h"
#include "base/text_file.h"
#include "filter/filter_arguments.h"
#include "filter/ghostscript/foomatic_conf.h"
#include "filter/ghostscript/stand_in.h"
#include "filter/messages.h"
#include "filter/program.h"

namespace halftoned {
namespace {

constexpr char kUsage[] =
    "usage: halftone-rip job-id user title copies options [file]\n"
    "       halftone-rip --version | --help\n"
    "CUPS runs this filter; halftone-rip(8) describes it.\n";

constexpr char kFoomaticConf[] = "/etc/foomatic/filter.conf";

int Fail(const std::string& why) {
  Messages(STDERR_FILENO).Error("cannot print: " + why);
  return EXIT_FAILURE;
}

int Print(const char* text) {
  std::fputs(text, stdout);
  const Result<void> printed = FlushStandardOutput();
  return printed.ok() ? EXIT_SUCCESS : Fail(printed.error().message);
}

// Refuses settings that keep foomatic-rip from printing our dots. foomatic-rip
// reads the first of these files that exists.
Result<void> CheckFoomaticConf() {
  const std::string of_cups = Environment("CUPS_SERVERROOT");
  for (const std::string& path :
       {of_cups + "/foomatic-rip.conf", std::string(kFoomaticConf)}) {
    const auto conf = ReadTextFile(path);
    if (!conf.ok()) continue;
    const std::string key = KeyOfOtherGhostscript(*conf);
    if (key.empty()) return {};
    return BadInput(path + " has " + key +
                    ", so foomatic-rip would call another Ghostscript; remove "
                    "it, or type: halftone release " +
                    Environment("PRINTER", "QUEUE"));
  }
  return {};
}

int RunFoomatic(char* argv[]) {
  const std::string folder =
      LibexecFolder(HALFTONED_LIBEXEC_PATH) + "/ghostscript";
  if (::access((folder + "/gs").c_str(), X_OK) != 0) {
    return Fail(ErrnoError(ErrorCode::kIo, folder + "/gs").message);
  }
  const std::string path = folder + ":" + Environment("PATH", "/usr/bin:/bin");
  ::setenv("PATH", path.c_str(), 1);
  ::setenv(kJobVariable, argv[1], 1);
  ::setenv(kUserVariable, argv[2], 1);
  ::setenv(kTitleVariable, argv[3], 1);
  ::setenv(kOptionsVariable, argv[5], 1);
  const std::string program =
      Environment("CUPS_SERVERBIN", HALFTONED_CUPS_SERVERBIN) +
      "/filter/foomatic-rip";
  argv[0] = const_cast<char*>("foomatic-rip");
  ::execv(program.c_str(), argv);
  return Fail(ErrnoError(ErrorCode::kIo, "cannot run " + program).message);
}

int Main(int argc, char* argv[]) {
  OpenStandardDescriptors();
  const std::span<char* const> words(argv, static_cast<size_t>(argc));
  if (argc == 2 && words[1] == std::string_view("--version")) {
    return Print("halftone-rip " HALFTONED_VERSION "\n");
  }
  if (argc == 2 && words[1] == std::string_view("--help")) return Print(kUsage);
  const auto arguments = ParseArguments("halftone-rip", words.subspan(1));
  if (!arguments.ok()) return Fail(arguments.error().message);
  const Result<void> checked = CheckFoomaticConf();
  if (!checked.ok()) return Fail(checked.error().message);
  return RunFoomatic(argv);
}

bool IsCalledGs(std::string_view name) {
  return name.substr(name.rfind('/') + 1) == "gs";
}

}  // namespace
}  // namespace halftoned

int main(int argc, char* argv[]) {
  if (argc > 0 && halftoned::IsCalledGs(argv[0])) {
    return halftoned::StandInForGhostscript(argc, argv);
  }
  return halftoned::Main(argc, argv);
}
