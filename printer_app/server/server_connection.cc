// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/server/server_connection.h"

#include <pappl/pappl.h>
#include <pwd.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <optional>
#include <thread>
#include <utility>

#include "printer_app/front/callers/connection_owner.h"
#include "printer_app/server/folders.h"

namespace halftoned {
namespace {

constexpr char kSystem[] = "/ipp/system";
constexpr int kPatience = 5000;  // milliseconds, to connect

// The directory of the server's socket, by a path that is short enough for
// every socket's address; empty if other users could put a socket there. It
// stays open, because libcups can connect again at any time.
const std::string& OwnFolder() {
  static const std::string path = [] {
    const Folders folders = FoldersOf(getenv, /*is_root=*/false);
    Descriptor opened = OpenOwnFolder(folders.TemporaryFolder());
    return opened.open() ? "/proc/self/fd/" + std::to_string(opened.Release())
                         : "";
  }();
  return path;
}

// The service's user, or root, because systemd opens the port and passes it on.
bool IsService(const ConnectionOwner& owner) {
  const passwd* service = getpwnam("halftone-printer-app");
  return owner.uid == uid_t{0} || (service && owner.uid == service->pw_uid);
}

// Fails if another user's program has the port. The kernel knows the owner once
// the service has accepted the connection.
Connection ConnectToService() {
  constexpr int kServicePort = 8631;
  constexpr std::chrono::milliseconds kLook{10};
  Connection service = Connect("localhost", kServicePort);
  if (!service) return service;
  const auto end =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(kPatience);
  do {
    const ConnectionOwner owner = OwnerOfOtherEnd(httpGetFd(service.get()));
    if (owner.uid) return IsService(owner) ? std::move(service) : Connection();
    std::this_thread::sleep_for(kLook);
  } while (std::chrono::steady_clock::now() < end);
  return Connection();
}

}  // namespace

Connection Connect(const std::string& host, int port) {
  return Connection(httpConnect2(host.c_str(), port, nullptr, AF_UNSPEC,
                                 HTTP_ENCRYPTION_IF_REQUESTED, 1, kPatience,
                                 nullptr));
}

std::string RootsSocket() {
  const char* snap = getenv("SNAP_COMMON");
  return std::string(snap ? snap : "/run") + "/halftone-printer-app.sock";
}

Connection ConnectToOwnServer() {
  if (getuid() == 0) return Connect(RootsSocket(), 0);
  if (OwnFolder().empty()) return Connection();
  return Connect(OwnFolder() + '/' + OwnSocketName(), 0);
}

// PAPPL looks at the variable only once. Child processes get the user's.
bool ShowOwnServerToPappl() {
  constexpr char kVariable[] = "TMPDIR";
  const char* given = getenv(kVariable);
  const auto users = given ? std::optional<std::string>(given) : std::nullopt;
  setenv(kVariable, OwnFolder().c_str(), 1);
  const bool is_shown = papplGetTempDir() == OwnFolder();
  if (users) {
    setenv(kVariable, users->c_str(), 1);
  } else {
    unsetenv(kVariable);
  }
  return is_shown;
}

// Like PAPPL's sub-commands.
Connection ConnectToServer() {
  Connection own = ConnectToOwnServer();
  return own || getuid() == 0 ? std::move(own) : Connect(RootsSocket(), 0);
}

Connection ConnectToServerOrService() {
  Connection server = ConnectToServer();
  return server || getuid() == 0 ? std::move(server) : ConnectToService();
}

Answer Ask(http_t* http, ipp_op_t operation) {
  ipp_t* request = ippNewRequest(operation);
  ippAddString(request, IPP_TAG_OPERATION, IPP_TAG_URI, "system-uri", nullptr,
               "ipp://localhost/ipp/system");
  return Answer(cupsDoRequest(http, request, kSystem));
}

std::string TextIn(ipp_t* ipp, const char* name) {
  const char* text =
      ippGetString(ippFindAttribute(ipp, name, IPP_TAG_ZERO), 0, nullptr);
  return text ? text : "";
}

}  // namespace halftoned
