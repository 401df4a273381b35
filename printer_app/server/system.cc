// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/server/system.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "base/descriptor.h"
#include "printer_app/application.h"
#include "printer_app/documents/document_filters.h"
#include "printer_app/interposed/client_reads.h"
#include "printer_app/matching/file_format.h"
#include "printer_app/printers/printer_data.h"
#include "printer_app/server/folders.h"
#include "printer_app/server/service_user.h"
#include "printer_app/server/web_text.h"
#include "printer_app/system_driver/ppd/ppd_texts.h"

namespace halftoned {
namespace {

constexpr const char* kName = "halftone-printer-app";

struct NamedOption {
  std::string_view name;
  unsigned added;
  unsigned taken;
};

constexpr NamedOption kServerOptions[] = {
    {"none", 0, ~0U},
    {"dnssd-host", PAPPL_SOPTIONS_DNSSD_HOST, 0},
    {"no-multi-queue", 0, PAPPL_SOPTIONS_MULTI_QUEUE},
    {"usb-printer", PAPPL_SOPTIONS_USB_PRINTER, 0},
    {"no-web-interface", 0, PAPPL_SOPTIONS_WEB_INTERFACE},
    {"web-log", PAPPL_SOPTIONS_WEB_LOG, 0},
    {"web-network", PAPPL_SOPTIONS_WEB_NETWORK, 0},
    {"web-remote", PAPPL_SOPTIONS_WEB_REMOTE, 0},
    {"web-security", PAPPL_SOPTIONS_WEB_SECURITY, 0},
    {"no-tls", PAPPL_SOPTIONS_NO_TLS, 0},
};

constexpr std::string_view kLevels[] = {"debug", "info", "warn", "error",
                                        "fatal"};

class Options {
 public:
  Options(int count, cups_option_t* options)
      : count_(count), options_(options) {}

  const char* Find(const char* name) const {
    return cupsGetOption(name, count_, options_);
  }

  // Nothing if a word is not known.
  std::optional<pappl_soptions_t> Server() const;
  std::optional<pappl_loglevel_t> Level() const;
  // Of 1 ... most, or `otherwise` if there is none.
  std::optional<int> Number(const char* name, int most, int otherwise) const;
  // False if there is none; nothing if it is neither true nor false.
  std::optional<bool> Truth(const char* name) const;

 private:
  const int count_;
  cups_option_t* const options_;
};

std::optional<pappl_soptions_t> Options::Server() const {
  unsigned flags = PAPPL_SOPTIONS_MULTI_QUEUE | PAPPL_SOPTIONS_WEB_INTERFACE;
  const char* value = Find("server-options");
  std::string_view left = value ? value : "";
  while (!left.empty()) {
    const size_t end = std::min(left.find(','), left.size());
    const std::string_view word = left.substr(0, end);
    const auto* found =
        std::ranges::find(kServerOptions, word, &NamedOption::name);
    if (found == std::end(kServerOptions)) return std::nullopt;
    flags = (flags & ~found->taken) | found->added;
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  return flags;
}

std::optional<pappl_loglevel_t> Options::Level() const {
  const char* value = Find("log-level");
  if (!value) return PAPPL_LOGLEVEL_WARN;
  const auto* found = std::ranges::find(kLevels, std::string_view(value));
  if (found == std::end(kLevels)) return std::nullopt;
  return static_cast<pappl_loglevel_t>(PAPPL_LOGLEVEL_DEBUG +
                                       (found - kLevels));
}

std::optional<bool> Options::Truth(const char* name) const {
  const char* text = Find(name);
  const std::string_view value = text ? text : "false";
  if (value != "true" && value != "false") return std::nullopt;
  return value == "true";
}

std::optional<int> Options::Number(const char* name, int most,
                                   int otherwise) const {
  const char* value = Find(name);
  if (!value) return otherwise;
  const char* end = value + std::strlen(value);
  int number = 0;
  const auto [rest, error] = std::from_chars(value, end, number);
  if (error != std::errc() || rest != end || number < 1 || number > most) {
    return std::nullopt;
  }
  return number;
}

// Held until the process ends, whatever ends it. The one before may still be
// ending.
Result<void> LockState(const std::string& folder) {
  static Descriptor file;
  const std::string path = folder + "/lock";
  file = Descriptor(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!file.open()) return ErrnoError(ErrorCode::kIo, path);
  for (int tenths = 0; tenths < 30; ++tenths) {
    if (flock(file.get(), LOCK_EX | LOCK_NB) == 0) return {};
    if (errno != EWOULDBLOCK) return ErrnoError(ErrorCode::kIo, path);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return BadInput(folder +
                  ": another server has its printers and jobs there; to end "
                  "it, type: halftone-printer-app shutdown");
}

// Whether nobody listens there on this machine.
bool IsFree(int port) {
  const Descriptor trial(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int on = 1;
  setsockopt(trial.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return bind(trial.get(), reinterpret_cast<sockaddr*>(&address),
              sizeof(address)) == 0 ||
         errno != EADDRINUSE;
}

// The sub-command that has started this server ends before it, and what reads
// the sub-command's output waits until nobody has it open.
void LetGoOfOutput() {
  const Descriptor nothing(open("/dev/null", O_RDWR | O_CLOEXEC));
  for (const int each : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    dup2(nothing.get(), each);
  }
}

Result<void> TakeFolders(const Folders& folders) {
  HALFTONED_TRY(CheckOwner(folders));
  if (!MakeFolders(folders)) return ErrnoError(ErrorCode::kIo, folders.state);
  return LockState(folders.state);
}

pappl_system_t* Refuse(const Error& error) {
  std::fprintf(stderr, "%s: %s\n", kName, error.message.c_str());
  return nullptr;
}

pappl_system_t* Refuse(const char* what, const char* why) {
  std::fprintf(stderr, "%s: %s: %s\n", kName, what, why);
  return nullptr;
}

// systemd makes a folder that only some may enter; PAPPL lets everybody connect
// who reaches the socket, and asks them for no password.
void ListenInRuntimeFolder(pappl_system_t* system) {
  const char* folder = getenv("RUNTIME_DIRECTORY");
  if (!folder || *folder != '/') return;
  papplSystemAddListeners(system, (std::string(folder) + "/socket").c_str());
}

void Listen(const Options& options, pappl_system_t* system) {
  ListenInRuntimeFolder(system);
  if (options.Find("private-server")) return;
  const char* host = options.Find("listen-hostname");
  if (host && !std::strcmp(host, "*")) {
    papplSystemAddListeners(system, nullptr);
  } else {
    papplSystemAddListeners(system, host ? host : "localhost");
  }
}

void SetTexts(pappl_system_t* system) {
  pappl_version_t version = {};
  papplCopyString(version.name, "Halftone Printer Application",
                  sizeof(version.name));
  papplCopyString(version.sversion, HALFTONED_VERSION,
                  sizeof(version.sversion));
  std::sscanf(HALFTONED_VERSION, "%hu.%hu.%hu", version.version,
              version.version + 1, version.version + 2);
  papplSystemSetVersions(system, 1, &version);
  papplSystemSetFooterHTML(
      system, "halftone-printer-app " HALFTONED_VERSION ", part of halftoned");
}

}  // namespace

pappl_system_t* MakeSystem(int num_options, cups_option_t* options_data,
                           void* data) {
  const Options options(num_options, options_data);
  const auto server = options.Server();
  if (!server) return Refuse("server-options", "not known");
  const auto level = options.Level();
  if (!level) return Refuse("log-level", "not debug, info, warn, error, fatal");
  const auto port = options.Number("server-port", 65535, 0);
  if (!port) return Refuse("server-port", "not 1 ... 65535");
  const auto timeout = options.Number("client-timeout", 86400, kClientTimeout);
  if (!timeout) return Refuse("client-timeout", "not 1 ... 86400");
  SetClientTimeout(*timeout);
  Folders folders =
      FoldersOf([](const char* name) { return getenv(name); }, getuid() == 0);
  if (const char* spool = options.Find("spool-directory")) {
    folders.spool = spool;
  }
  if (folders.state.empty()) return Refuse("HOME", "not set");
  auto& application = *static_cast<Application*>(data);
  const auto files = options.Truth("file-devices");
  if (!files) return Refuse("file-devices", "not true or false");
  application.has_file_devices = *files;
  if (application.may_serve) {
    const Result<void> taken = TakeFolders(folders);
    if (!taken.ok()) return Refuse(taken.error());
  } else {
    folders.spool = "/tmp";  // of which nothing is used
  }
  const bool is_private = options.Find("private-server") != nullptr;
  if (application.may_serve && *port > 0 && !is_private && !IsFree(*port)) {
    return Refuse("server-port", "in use by another program");
  }
  pappl_system_t* system = papplSystemCreate(
      *server, kName, *port, "_print,_universal", folders.spool.c_str(),
      options.Find("log-file"), *level, options.Find("auth-service"),
      /*tls_only=*/false);
  if (!system) return Refuse("server", "cannot be made");
  if (const char* group = options.Find("admin-group")) {
    papplSystemSetAdminGroup(system, group);
  }
  if (const char* host = options.Find("server-hostname")) {
    papplSystemSetHostName(system, host);
  }
  Listen(options, system);
  SetTexts(system);
  AddWebText(system);
  AddPpdTexts(system, application.system_drivers.all());
  AddDocumentFilters(system, application);
  application.spool = folders.spool;
  papplSystemSetMIMECallback(system, FileFormat, &application.spool);
  papplSystemSetPrinterDrivers(
      system, static_cast<int>(application.drivers.size()),
      application.drivers.data(), AutoAdd, nullptr, SetUpDriver, data);
  if (!application.may_serve) return system;
  application.keeper.emplace(folders);
  const Result<void> begun = application.keeper->Begin(system);
  if (!begun.ok()) return Refuse(begun.error());
  if (is_private) LetGoOfOutput();
  return system;
}

}  // namespace halftoned
