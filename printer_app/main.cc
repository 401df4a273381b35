// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// halftone-printer-app: IPP printers that halftone. The server is two processes
// (server.h); sub-commands that talk to it are PAPPL's.

#include <dlfcn.h>
#include <fcntl.h>
#include <pappl/pappl.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "printer_app/application.h"
#include "printer_app/command_words.h"
#include "printer_app/devices/device_program.h"
#include "printer_app/devices/device_schemes.h"
#include "printer_app/printers/drivers.h"
#include "printer_app/printers/printed_file.h"
#include "printer_app/printers/printer_attributes.h"
#include "printer_app/printers/printer_data.h"
#include "printer_app/server/folders.h"
#include "printer_app/server/of_command.h"
#include "printer_app/server/server.h"
#include "printer_app/server/server_connection.h"
#include "printer_app/server/server_report.h"
#include "printer_app/server/service_user.h"
#include "printer_app/server/stop_signal.h"
#include "printer_app/server/system.h"
#include "printer_app/server/web_text.h"
#include "printer_app/system_driver/driver_runner.h"

namespace halftoned {
namespace {

// Added in 1.4.
constexpr const char* kOfLater = "papplSystemCreatePrinters";

// An error if libpappl is of a version that was not tried.
Result<void> CheckLibrary() {
  if (dlsym(RTLD_DEFAULT, kOfLater)) {
    return Unavailable(
        "libpappl is version 1.4 or later; this program works only with 1.3");
  }
  return {};
}

// PAPPL starts a server by the name with which this program was called. That is
// not a path if the shell found the program in PATH.
std::string OwnPath(const char* called) {
  std::error_code error;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? called : path.string();
}

bool Has(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool HasNoneOf(const std::vector<std::string>& words,
               std::span<const std::string_view> others) {
  return words.size() > 1 &&
         std::ranges::none_of(
             others, [&](std::string_view word) { return Has(words, word); });
}

// True if the command is a server, or connects to one.
bool MeetsServer(const std::vector<std::string>& words) {
  constexpr std::string_view kOthers[] = {"drivers", "devices", "--help",
                                          "--version"};
  return HasNoneOf(words, kOthers);
}

bool IsServer(const std::vector<std::string>& words) {
  return MeetsServer(words) && Has(words, "server");
}

// If a sub-command finds no server, PAPPL starts one. For root, that server
// would have the service's printers and jobs.
bool WouldStartServer(const std::vector<std::string>& words) {
  constexpr std::string_view kOthers[] = {"server", kBehind, "shutdown"};
  return MeetsServer(words) && HasNoneOf(words, kOthers) && !ConnectToServer();
}

int Fail(const std::string& message) {
  std::fprintf(stderr, "halftone-printer-app: %s\n", message.c_str());
  return 1;
}

int StatusOf(const Result<void>& done) {
  return done.ok() ? 0 : Fail(done.error().message);
}

// words: from the printer on.
PrintedFile PrintedFileIn(std::span<char*> words) {
  PrintedFile file = {words[0], words[1], words[2], {}};
  for (const std::string word : words.subspan(3)) {
    const size_t equals = word.find('=');
    if (equals == word.npos) continue;
    file.options.emplace(word.substr(0, equals), word.substr(equals + 1));
  }
  return file;
}

// If root starts a server, it becomes the service.
Result<void> BecomeService(std::vector<std::string>& words) {
  if (!IsServiceOfRoot()) return {};
  // Files that root's shell had open.
  close_range(STDERR_FILENO + 1, UINT_MAX, 0);
  HALFTONED_TRY(BecomeServiceUser());
  // The caller's options come later, and take precedence.
  auto at = std::find(words.begin(), words.end(), "server") + 1;
  for (const char* option : ServiceOptions()) {
    at = words.insert(at, {"-o", option}) + 2;
  }
  return {};
}

// Root needs none: its socket is in a directory that belongs to root.
Result<void> FindOwnServer() {
  if (getuid() == 0) return {};
  const Folders folders = FoldersOf(getenv, /*is_root=*/false);
  if (folders.state.empty()) return BadInput("HOME: not set");
  const std::string folder = folders.TemporaryFolder();
  if (MakeOwnFolder(folder) && ShowOwnServerToPappl()) return {};
  return BadInput(folder +
                  ": must be a directory that only you can write to; "
                  "XDG_STATE_HOME can name another place");
}

// named: $TMPDIR, or null to ignore it. Root uses any.
Result<void> UseOwnTemporaryFolder(const char* named) {
  if (getuid() == 0) return {};
  const Folders folders = FoldersOf(getenv, /*is_root=*/false);
  if (folders.state.empty()) return BadInput("HOME: not set");
  const std::string folder = TemporaryFolderOf(named, folders);
  setenv("TMPDIR", folder.c_str(), 1);
  if (MakeOwnFolder(folder)) return {};
  return BadInput(folder +
                  ": must be a directory that only the server's user can "
                  "write to, and no link");
}

// Also for PAPPL's process (is_behind).
Result<void> BeginServer(std::vector<std::string>& words, bool is_behind) {
  HALFTONED_TRY(CheckLibrary());
  if (IsOfCommand() && !is_behind) HALFTONED_TRY(LeaveCommand());
  HALFTONED_TRY(BecomeService(words));
  // Signals end other sub-commands as they end any program.
  HoldStopSignals();
  // A file that becomes too large is an error of its document.
  signal(SIGXFSZ, SIG_IGN);
  // A core would hold pages of users.
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  return UseOwnTemporaryFolder(IsOfCommand() ? nullptr : getenv("TMPDIR"));
}

// Answers instead of PAPPL for sub-commands that `halftone` runs, and for
// --version, as our other programs do. Returns the exit status of these
// commands.
std::optional<int> AnswerBeforePappl(int argc, char* argv[]) {
  if (argc == 2 && !std::strcmp(argv[1], "--version")) {
    return std::puts("halftone-printer-app " HALFTONED_VERSION) < 0;
  }
  if (argc > 1 && !std::strcmp(argv[1], "report")) {
    return RunServerReport(argc > 2 ? std::atoi(argv[2]) : 0);
  }
  if (argc > 2 && !std::strcmp(argv[1], "attributes")) {
    return StatusOf(PrintAttributes(argv[2]));
  }
  if (argc > 4 && !std::strcmp(argv[1], "print")) {
    return StatusOf(PrintFile(PrintedFileIn({argv + 2, argv + argc})));
  }
  return std::nullopt;
}

void ListDrivers(Application& application) {
  const auto add = [&](const Driver& driver) {
    application.drivers.push_back(
        {driver.name, driver.description, nullptr, nullptr});
  };
  for (const Driver& driver : Drivers()) add(driver);
  for (const Driver* driver : application.system_drivers.all()) add(*driver);
}

// Otherwise the next file would get the number, and our messages.
void OpenStandardFiles() {
  int file = 0;
  while (file >= 0 && file <= STDERR_FILENO) file = open("/dev/null", O_RDWR);
  if (file >= 0) close(file);
}

int Main(int argc, char* argv[]) {
  OpenStandardFiles();
  if (const auto status = RunDeviceProgram(argc, argv)) return *status;
  if (const auto status = RunDriver(argc, argv)) return *status;
  AddDeviceSchemes();
  if (const auto status = AnswerBeforePappl(argc, argv)) return *status;
  std::vector<std::string> texts(argv, argv + argc);
  texts[0] = OwnPath(argv[0]);
  const std::string why_not = WhatForbidsCommand(texts);
  if (!why_not.empty()) return Fail(why_not);
  NameCopies(texts);
  const bool is_behind = texts.size() > 1 && texts[1] == kBehind;
  const bool may_serve = is_behind || IsServer(texts);
  if (MeetsServer(texts) && !may_serve) {
    const Result<void> found = FindOwnServer();
    if (!found.ok()) return Fail(found.error().message);
    MarkServerOfCommand();
  }
  if (WouldStartServer(texts)) {
    if (getuid() == 0 && !getenv("SNAP_COMMON")) {
      return Fail("no server is running; to start the service, type: " +
                  HowToStartService(texts[0]));
    }
    std::fputs(
        "halftone-printer-app: starting your own server, without a web page; "
        "to end it, type: halftone-printer-app shutdown\n",
        stderr);
  }
  if (may_serve) {
    const Result<void> begun = BeginServer(texts, is_behind);
    if (!begun.ok()) return Fail(begun.error().message);
    if (!is_behind) return RunServer(texts);
  }
  const Folders folders = FoldersOf(getenv, getuid() == 0);
  // Never destroyed: the keeper's thread uses it until the process ends.
  Application& application = *new Application(folders.PpdFolder(), may_serve);
  ListDrivers(application);
  if (is_behind) return RunBehind(texts, application);
  std::vector<char*> words;
  for (std::string& text : texts) words.push_back(text.data());
  words.push_back(nullptr);
  return papplMainloop(static_cast<int>(texts.size()), words.data(),
                       HALFTONED_VERSION, kWebFooter,
                       static_cast<int>(application.drivers.size()),
                       application.drivers.data(), AutoAdd, SetUpDriver,
                       nullptr, nullptr, MakeSystem, nullptr, &application);
}

}  // namespace
}  // namespace halftoned

int main(int argc, char* argv[]) { return halftoned::Main(argc, argv); }
