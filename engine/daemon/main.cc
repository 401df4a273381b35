// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// halftoned: sets up the process, and supervises until a signal ends it.

#include <fcntl.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/descriptor.h"
#include "base/libexec.h"
#include "base/text.h"
#include "base/text_file.h"
#include "config/config.h"
#include "config/gpus.h"
#include "config/tone_check.h"
#include "config/unit_limits.h"
#include "daemon/confine/confine.h"
#include "daemon/confine/users.h"
#include "daemon/supervisor/daemon_sockets.h"
#include "daemon/supervisor/journal.h"
#include "daemon/supervisor/limited_sink.h"
#include "daemon/supervisor/privileges.h"
#include "daemon/supervisor/supervisor.h"
#include "daemon/supervisor/workers/canary.h"
#include "halftone/cpu/local_engines.h"
#include "wire/remote_engine.h"

namespace halftoned::daemon {
namespace {

constexpr int kUsageStatus = 2;
constexpr char kUsage[] =
    "usage: halftoned [--config FILE]\n"
    "       halftoned --check-config [FILE]\n"
    "       halftoned --version | --help\n";

// Prints an error; returns the exit status.
int Fail(const std::string& why) {
  std::fprintf(stderr, "halftoned: %s\n", why.c_str());
  return EXIT_FAILURE;
}

// A line for each table whose jobs the configured engine cannot do.
std::vector<std::string> EngineProblems(const Config& config) {
  if (!config.engine || config.engine->value == "auto") return {};
  const auto& [name, where] = *config.engine;
  Pool pool(1);
  EngineList engines = LocalEngines(pool);
  engines.push_back(
      std::make_unique<wire::RemoteEngine>(wire::RemoteOptions()));
  const auto found = FindEngine(engines, name);
  if (!found.ok()) return {where + ": " + found.error().message};
  // The daemon need not run yet.
  if (*found == engines.back().get()) return {};
  const Result<void> runs = (*found)->Probe();
  if (!runs.ok()) return {where + ": " + runs.error().message};
  std::vector<std::string> problems;
  for (const auto& [table, recipe] : RecipesOfPrints(config)) {
    const Result<void> serves = (*found)->Serves(recipe);
    if (serves.ok()) continue;
    problems.push_back(where + ": " + serves.error().message + ", which " +
                       table + " needs");
  }
  return problems;
}

// Returns the exit status.
int Print(const char* text) {
  std::fputs(text, stdout);
  const Result<void> printed = FlushStandardOutput();
  return printed.ok() ? EXIT_SUCCESS : Fail(printed.error().message);
}

UnitLimits OwnNeeds(const DaemonConfig& config) {
  return NeedsOf(
      config,
      ServedGpus(config.gpus, LibexecFolder(HALFTONED_LIBEXEC_PATH)).size(),
      static_cast<int>(std::thread::hardware_concurrency()));
}

// Prints a line for each problem; returns the exit status.
int ShowProblems(const std::string& path) {
  const Result<std::string> text = ReadTextFile(path);
  if (!text.ok()) return Fail(text.error().message);
  auto [config, problems] = CheckConfig(*text, path);
  std::ranges::move(ToneProblems(config, ReadTextFile),
                    std::back_inserter(problems));
  std::ranges::move(EngineProblems(config), std::back_inserter(problems));
  // Default users and groups need not exist: under systemd the unit names them.
  const DaemonConfig& own = config.daemon;
  if (!own.user.where.empty()) {
    const Result<void> user = CheckUser(own.user);
    if (!user.ok()) problems.push_back(user.error().message);
  }
  if (!own.worker_user.where.empty()) {
    const Result<void> user = CheckUser(own.worker_user);
    if (!user.ok()) problems.push_back(user.error().message);
  }
  if (!own.group.where.empty()) {
    const Result<gid_t> group = GroupOf(own.group);
    if (!group.ok()) problems.push_back(group.error().message);
  }
  for (const std::string& problem : problems) Fail(problem);
  if (!problems.empty()) return EXIT_FAILURE;
  const std::string lack = Lack(OwnNeeds(own), OwnUnit());
  if (lack.empty()) return EXIT_SUCCESS;
  return Print(("needs more than halftoned.service allows: " + lack +
                "; see halftoned(8)\n")
                   .c_str());
}

// Blocks the signals that the supervisor reads; later threads inherit this.
Result<Descriptor> TakeSignals() {
  ::signal(SIGPIPE, SIG_IGN);
  sigset_t signals;
  ::sigemptyset(&signals);
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) {
    ::sigaddset(&signals, number);
  }
  ::sigprocmask(SIG_BLOCK, &signals, nullptr);
  Descriptor fd(::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
  if (fd.open()) return fd;
  return ErrnoError(ErrorCode::kUnavailable, "cannot receive signals");
}

// The folders of the sockets that the daemon creates itself.
std::vector<std::string> FoldersOf(const DaemonConfig& config) {
  // systemd creates the folders of its sockets.
  if (::sd_listen_fds(0) > 0) return {};
  std::vector<std::string> folders;
  for (const std::string& path : {config.socket, config.status_socket}) {
    folders.push_back(path.substr(0, path.rfind('/') + 1));
  }
  return folders;
}

// worker_user: becomes empty if that user could not be confined.
Result<void> ConfineSupervisor(const std::vector<std::string>& folders,
                               std::optional<WorkerUser>& worker_user,
                               Log& log) {
  const Confined confined = Confine({.role = Role::kSupervisor,
                                     .folders = folders,
                                     .worker_user = worker_user});
  if (!confined.missing.empty()) {
    log.Debug("this system does not support: " + confined.missing);
  }
  if (worker_user && !confined.is_filtered) {
    worker_user.reset();
    HALFTONED_TRY(StopChangingUsers());
  }
  return CheckRootIsLeft();
}

Result<void> Serve(const std::string& config_path, LogSink& sink) {
  HALFTONED_TRY_ASSIGN(const Config config, ReadConfig(config_path));
  const DaemonConfig& own = config.daemon;
  Log log(sink, own.log_level);
  const std::vector<std::string> folders = FoldersOf(own);
  HALFTONED_TRY_ASSIGN(std::optional<WorkerUser> worker_user,
                       LeaveRoot(own, folders));
  const uint64_t files = RaiseFileLimit();
  // A connection has a socket, and two files while its ring is mapped.
  const auto needed = static_cast<uint64_t>(128 + 4 * own.max_connections);
  if (files < needed) {
    log.Warning("max-connections needs " + std::to_string(needed) +
                " open files, but only " + std::to_string(files) +
                " are allowed");
  }
  const std::string lack =
      Lack(OwnNeeds(own), LimitsOfGroup("/proc/self/cgroup", "/sys/fs/cgroup"));
  if (!lack.empty()) {
    log.Warning("the configuration needs more than halftoned.service allows: " +
                lack + "; see halftoned(8)");
  }
  HALFTONED_TRY_ASSIGN(const Descriptor signals, TakeSignals());
  HALFTONED_TRY_ASSIGN(const auto listeners, Listeners::Open(own));
  HALFTONED_TRY(ConfineSupervisor(folders, worker_user, log));
  HALFTONED_TRY_ASSIGN(const auto canary, Canary::Make());
  Supervisor supervisor(
      {config_path, config.is_said, LibexecFolder(HALFTONED_LIBEXEC_PATH), own,
       worker_user},
      *listeners, *canary, signals.get(), log);
  return supervisor.Run();
}

int RunDaemon(const std::string& config_path) {
  const std::unique_ptr<LogSink> sink = MakeLogSink();
  std::string failure;
  try {
    LimitedSink limited(*sink);
    const Result<void> result = Serve(config_path, limited);
    if (result.ok()) return EXIT_SUCCESS;
    failure = result.error().message;
  } catch (const std::exception& exception) {
    failure = exception.what();
  }
  sink->Write(LogLevel::kError, failure, {});
  return EXIT_FAILURE;
}

// The error for arguments that Main does not know.
std::string Mistake(std::span<char* const> arguments) {
  const std::string option = arguments[0];
  const bool takes_file = option == "--config" || option == "--check-config";
  if (!takes_file && option != "--version" && option != "--help") {
    return (option.starts_with('-') ? "unknown option '"
                                    : "unexpected argument '") +
           option + "'";
  }
  const size_t most = takes_file ? 2 : 1;
  if (arguments.size() <= most) return option + ": expected a file";
  return "unexpected argument '" + std::string(arguments[most]) + "'";
}

int Main(std::span<char* const> arguments) {
  std::string config = ConfPath();
  const std::string_view option = arguments.empty() ? "" : arguments[0];
  if (arguments.size() == 2) config = arguments[1];
  if (arguments.empty()) return RunDaemon(config);
  if (option == "--config" && arguments.size() == 2) {
    // The default file and that of HALFTONED_CONF may be missing.
    if (::access(config.c_str(), F_OK) == 0) return RunDaemon(config);
    return Fail(ErrnoError(ErrorCode::kBadInput, config).message);
  }
  if (option == "--check-config" && arguments.size() <= 2) {
    return ShowProblems(config);
  }
  if (option == "--version" && arguments.size() == 1) {
    return Print("halftoned " HALFTONED_VERSION "\n");
  }
  if (option == "--help" && arguments.size() == 1) return Print(kUsage);
  std::fprintf(stderr, "halftoned: %s; see --help\n",
               Printable(Mistake(arguments)).c_str());
  return kUsageStatus;
}

}  // namespace
}  // namespace halftoned::daemon

int main(int argc, char* argv[]) {
  halftoned::OpenStandardDescriptors();
  return halftoned::daemon::Main(
      std::span<char* const>(argv, static_cast<size_t>(argc)).subspan(1));
}
