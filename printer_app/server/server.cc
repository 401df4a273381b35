// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/server/server.h"

#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <utility>

#include "base/descriptor.h"
#include "base/sanitizers.h"
#include "base/text.h"
#include "print/process/machine.h"
#include "printer_app/front/client/listeners.h"
#include "printer_app/front/run.h"
#include "printer_app/handover/spooled_document.h"
#include "printer_app/kept/spool.h"
#include "printer_app/server/folders.h"
#include "printer_app/server/of_command.h"
#include "printer_app/server/pam_service.h"
#include "printer_app/server/server_connection.h"
#include "printer_app/server/server_options.h"
#include "printer_app/server/service_user.h"
#include "printer_app/server/system.h"

namespace halftoned {
namespace {

namespace fs = std::filesystem;

constexpr int kUserJobs = 1000;
constexpr int kLeastMemory = 128;  // MiB, that PAPPL's process needs to start

int Fail(const std::string& message) {
  std::fprintf(stderr, "halftone-printer-app: %s\n", message.c_str());
  return 1;
}

// Command-line options, with the syntax of cups(1).
class CommandLine {
 public:
  CommandLine() = default;
  ~CommandLine() { cupsFreeOptions(count_, options_); }
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  // False if there are words other than options.
  bool Take(const std::vector<std::string>& words) {
    for (size_t i = 1; i < words.size(); ++i) {
      if (words[i] == "server" || words[i] == kBehind) continue;
      if (words[i] != "-o" || i + 1 == words.size()) return false;
      count_ = cupsParseOptions(words[++i].c_str(), count_, &options_);
    }
    return true;
  }
  void Add(const char* name, const std::string& value) {
    count_ = cupsAddOption(name, value.c_str(), count_, &options_);
  }
  ServerOptions options() const { return {count_, options_}; }
  int count() const { return count_; }
  cups_option_t* list() const { return options_; }

 private:
  int count_ = 0;
  cups_option_t* options_ = nullptr;
};

// False if another process keeps the lock for 3 s; the previous server may
// still be ending.
Result<bool> Lock(const Descriptor& file, const std::string& path) {
  for (int tenths = 0; tenths < 30; ++tenths) {
    if (flock(file.get(), LOCK_EX | LOCK_NB) == 0) return true;
    if (errno != EWOULDBLOCK) return ErrnoError(ErrorCode::kIo, path);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return false;
}

// Holds the lock until both processes end, for whatever reason.
Result<Descriptor> LockState(const std::string& folder) {
  const std::string path = folder + "/lock";
  HALFTONED_TRY_ASSIGN(Descriptor file,
                       Descriptor::Open(path, O_RDWR | O_CREAT, 0600));
  HALFTONED_TRY_ASSIGN(const bool is_locked, Lock(file, path));
  if (is_locked) return file;
  return BadInput(folder +
                  ": another server keeps its printers and jobs there; to end "
                  "it, type: halftone-printer-app shutdown");
}

// Only one server may use a spool directory, because file names of jobs repeat
// in every server, and each server removes the documents that it does not know.
Result<Descriptor> LockSpool(const std::string& folder) {
  HALFTONED_TRY_ASSIGN(Descriptor file,
                       Descriptor::Open(folder, O_RDONLY | O_DIRECTORY));
  HALFTONED_TRY_ASSIGN(const bool is_locked, Lock(file, folder));
  if (!is_locked) {
    return BadInput(folder +
                    ": another server keeps documents there; each server needs "
                    "its own spool-directory");
  }
  HALFTONED_TRY_ASSIGN(const auto files, FilesIn(folder));
  for (const fs::path& path : files) {
    const std::string name = path.filename();
    std::error_code error;
    if (name.starts_with('.') || !fs::is_regular_file(path, error) ||
        IsDocumentName(name) || JobOfFile(name)) {
      continue;
    }
    return BadInput(folder + ": has other files, such as " + Printable(name) +
                    "; a spool-directory must contain only job documents");
  }
  return file;
}

struct Locks {
  Descriptor state;
  Descriptor spool;
};

Result<Locks> TakeFolders(const Folders& folders) {
  HALFTONED_TRY(CheckOwner(folders));
  HALFTONED_TRY(MakeFolders(folders));
  HALFTONED_TRY_ASSIGN(Descriptor state, LockState(folders.state));
  HALFTONED_TRY_ASSIGN(Descriptor spool, LockSpool(folders.spool));
  return Locks{std::move(state), std::move(spool)};
}

Result<Folders> FoldersFor(const ServerOptions& options) {
  Folders folders = FoldersOf(getenv, getuid() == 0);
  if (const char* spool = options.Find("spool-directory")) {
    folders.spool = spool;
  }
  if (folders.state.empty()) return BadInput("HOME: not set");
  return folders;
}

std::string TextOf(const char* text) { return text ? text : ""; }

// Size in MiB of this directory's disk. The directory need not exist yet.
int HalfOf(fs::path folder) {
  std::error_code error;
  while (!fs::exists(folder, error) && folder.has_relative_path()) {
    folder = folder.parent_path();
  }
  const uintmax_t half = fs::space(folder, error).capacity / 2 >> 20;
  return error ? INT_MAX
               : static_cast<int>(std::clamp<uintmax_t>(half, 1, INT_MAX));
}

// MiB for PAPPL's process. The rest is for renderers.
int DefaultMemory() {
  const int all = std::max(MemoryOfMachine(), kLeastMemory);
  return std::min(all, std::clamp(all / 2, 256, 4096));
}

// Bytes; 0: no limit.
Result<uint64_t> MemoryFrom(const ServerOptions& options) {
  const auto memory = options.Number("server-memory", INT_MAX, DefaultMemory());
  if (!memory || *memory < kLeastMemory) {
    return BadInput("server-memory: must be 128 or more");
  }
  return HasSanitizer() ? 0 : uint64_t(*memory) << 20;
}

// The memory limit counts stacks at their maximum size. Most threads serve
// connections; under a flood of requests, no thread used more than 164 KiB.
void UseSmallStacks() {
  constexpr size_t kStackBytes = size_t{512} << 10;
  pthread_attr_t attributes;
  if (HasSanitizer() || pthread_attr_init(&attributes) != 0) return;
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);
}

// The memory limit counts memory that was freed, too, unless the C library
// returns it. Most memory is in large blocks: rows, sheets and pictures; in the
// front end, answers.
void ReturnFreedMemory() {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_MMAP_THRESHOLD, 32 << 10);  // otherwise it grows
  mallopt(M_TRIM_THRESHOLD, 1 << 20);
#endif
}

// The owner of another file could read the log, and opening a pipe would wait
// for a reader.
Result<void> CheckLog(const std::string& path) {
  struct stat status;
  if (lstat(path.c_str(), &status) != 0) return {};
  if (S_ISFIFO(status.st_mode)) return BadInput(path + ": is a pipe");
  if (S_ISREG(status.st_mode) && status.st_uid != geteuid() &&
      status.st_uid != 0) {
    return BadInput(path + ": belongs to another user");
  }
  return {};
}

Result<FrontSettings> SettingsFrom(const ServerOptions& options,
                                   const Folders& folders) {
  const std::string fault = options.Fault();
  if (!fault.empty()) return BadInput(fault);
  const auto server = options.Server();
  if (!server) return BadInput("server-options: unknown option");
  const auto level = options.Level();
  if (!level) {
    return BadInput("log-level: must be debug, info, warn, error or fatal");
  }
  const auto port = options.Number("server-port", 65535, 0);
  if (!port) return BadInput("server-port: must be 1 ... 65535");
  const auto timeout = options.Number("client-timeout", 86400, kClientTimeout);
  if (!timeout) return BadInput("client-timeout: must be 1 ... 86400");
  if (!options.Number("page-timeout", 86400, kPageTimeout)) {
    return BadInput("page-timeout: must be 1 ... 86400");
  }
  const auto answer = options.Number("answer-timeout", 86400, kAnswerTimeout);
  if (!answer) return BadInput("answer-timeout: must be 1 ... 86400");
  const auto jobs = options.Number("user-jobs", INT_MAX, kUserJobs);
  if (!jobs) return BadInput("user-jobs: must be 1 or more");
  const auto room =
      options.Number("user-spool", INT_MAX, HalfOf(folders.spool));
  if (!room) return BadInput("user-spool: must be 1 or more");
  HALFTONED_TRY(MemoryFrom(options));
  for (const char* name : {"file-devices", "private-server"}) {
    if (options.Truth(name)) continue;
    return BadInput(name + std::string(": must be true or false"));
  }
  FrontSettings settings;
  settings.port = *port;
  settings.client_timeout = *timeout;
  settings.answer_timeout = *answer;
  settings.user_jobs = *jobs;
  settings.user_bytes = uint64_t(*room) << 20;
  settings.folder = folders.InnerFolder();
  settings.spool = folders.spool;
  settings.has_tls = (*server & PAPPL_SOPTIONS_NO_TLS) == 0;
  if (const char* service = options.Find("auth-service")) {
    HALFTONED_TRY(CheckPamService(service));
    settings.auth_service = service;
  }
  settings.log_file = options.LogFile(folders);
  if (const char* log = options.Find("log-file")) HALFTONED_TRY(CheckLog(log));
  settings.log_level = static_cast<FrontLog::Level>(*level);
  settings.host_name = TextOf(options.Find("server-hostname"));
  if (settings.host_name.empty()) {
    char name[256] = "localhost";
    gethostname(name, sizeof(name) - 1);
    settings.host_name = name;
  }
  return settings;
}

Result<std::vector<Descriptor>> Listen(const ServerOptions& options,
                                       const Folders& folders, int& port) {
  HALFTONED_TRY_ASSIGN(auto listeners, ListenersOfSystemd(port));
  const char* host = options.Find("listen-hostname");
  if (host && !listeners.empty()) {
    return BadInput("listen-hostname: systemd listens; change its socket unit");
  }
  if (!*options.Truth("private-server") && listeners.empty()) {
    HALFTONED_TRY_ASSIGN(listeners,
                         ListenAtHost(host ? host : "localhost", port));
  }
  const std::string socket =
      getuid() == 0 ? RootsSocket() : folders.OwnSocket();
  HALFTONED_TRY_ASSIGN(Descriptor own, ListenAtPath(socket));
  listeners.push_back(std::move(own));
  // systemd creates a directory with restricted access.
  const char* folder = getenv("RUNTIME_DIRECTORY");
  if (folder && *folder == '/') {
    HALFTONED_TRY_ASSIGN(Descriptor shared,
                         ListenAtPath(std::string(folder) + "/socket"));
    listeners.push_back(std::move(shared));
  }
  return listeners;
}

}  // namespace

int RunServer(const std::vector<std::string>& words) {
  ReturnFreedMemory();
  CommandLine given;
  if (!given.Take(words)) {
    return Fail("server accepts only options, as in: server -o NAME=VALUE");
  }
  const ServerOptions options = given.options();
  const Result<Folders> folders = FoldersFor(options);
  if (!folders.ok()) return Fail(folders.error().message);
  Result<FrontSettings> settings = SettingsFrom(options, *folders);
  if (!settings.ok()) return Fail(settings.error().message);
  const Result<Locks> locks = TakeFolders(*folders);
  if (!locks.ok()) return Fail(locks.error().message);
  RemoveUnfinishedDocuments(folders->spool);
  Result<std::vector<Descriptor>> listeners =
      Listen(options, *folders, settings->port);
  if (!listeners.ok()) return Fail(listeners.error().message);
  const bool is_private = *options.Truth("private-server");
  const uint64_t memory = *MemoryFrom(options);
  // From here on, `options` is invalid.
  if (!is_private) given.Add("server-port", std::to_string(settings->port));
  std::vector<std::string> behind = {words[0], kBehind};
  for (int i = 0; i < given.count(); ++i) {
    behind.insert(behind.end(), {"-o", std::string(given.list()[i].name) + '=' +
                                           given.list()[i].value});
  }
  PapplProcess pappl(std::move(behind), folders->InnerSocket(),
                     locks->state.get(), memory);
  return RunFront(std::move(*settings), std::move(*listeners), pappl, [&] {
    if (IsOfCommand()) LetGoOfOutput();
  });
}

int RunBehind(const std::vector<std::string>& words, Application& application) {
  // Otherwise the programs that it starts would inherit the lock on the state.
  fcntl(PapplProcess::kKept, F_SETFD, FD_CLOEXEC);
  UseSmallStacks();
  ReturnFreedMemory();
  CommandLine given;
  if (!given.Take(words)) return 1;
  pappl_system_t* system =
      MakeSystem(given.count(), given.list(), &application);
  if (!system) return 1;
  papplSystemRun(system);
  return 0;
}

}  // namespace halftoned
