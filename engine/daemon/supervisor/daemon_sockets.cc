// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/supervisor/daemon_sockets.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <string_view>
#include <thread>

#include "base/unix_socket.h"
#include "daemon/supervisor/privileges.h"

namespace halftoned::daemon {
namespace {

constexpr std::string_view kClientsName = "halftoned.socket";
constexpr std::string_view kStatusName = "halftoned-status.socket";

// A supervisor that is killed while it starts a worker leaves the lock to that
// process for a moment.
Result<Descriptor> Lock(const std::string& path) {
  constexpr int kTries = 50;
  constexpr std::chrono::milliseconds kPause{10};
  HALFTONED_TRY_ASSIGN(
      Descriptor lock,
      Descriptor::Open(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0600));
  for (int tries = 1; ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0; ++tries) {
    if (tries == kTries) {
      return Unavailable("another halftoned is running and holds " + path);
    }
    std::this_thread::sleep_for(kPause);
  }
  return lock;
}

Result<void> Share(const std::string& socket,
                   const Setting<std::string>& group) {
  HALFTONED_TRY_ASSIGN(const gid_t gid, GroupOf(group));
  if (::lchown(socket.c_str(), static_cast<uid_t>(-1), gid) != 0 ||
      ::chmod(socket.c_str(), 0660) != 0) {
    return ErrnoError(ErrorCode::kUnavailable,
                      "cannot give " + socket + " to the group " + group.value);
  }
  return {};
}

Result<std::string> PathOf(int fd) {
  sockaddr_un address{};
  socklen_t size = sizeof(address) - 1;  // a path may lack its end
  if (::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0 ||
      address.sun_path[0] != '/') {
    return BadInput("the socket from systemd has no path");
  }
  return std::string(address.sun_path);
}

// The names that sd_listen_fds_with_names has allocated.
struct Names {
  char** list = nullptr;
  ~Names() {
    for (char** name = list; name && *name; ++name) std::free(*name);
    std::free(list);
  }
};

}  // namespace

Result<std::unique_ptr<Listeners>> Listeners::Open(const DaemonConfig& config) {
  std::unique_ptr<Listeners> listeners(new Listeners());
  Names names;
  const int count = ::sd_listen_fds_with_names(1, &names.list);
  if (count < 0) return BadInput("cannot read the sockets that systemd passed");
  HALFTONED_TRY(count > 0 ? listeners->Take(count, names.list)
                          : listeners->Make(config));
  return listeners;
}

Result<void> Listeners::Take(int count, char** names) {
  for (int i = 0; i < count; ++i) {
    Descriptor socket(SD_LISTEN_FDS_START + i);
    const std::string_view name = names[i];
    const bool is_known = name == kClientsName || name == kStatusName;
    if (!is_known ||
        ::sd_is_socket_unix(socket.get(), SOCK_STREAM, 1, nullptr, 0) <= 0) {
      return BadInput("systemd passed '" + std::string(name) +
                      "', which is not a known stream socket");
    }
    ::fcntl(socket.get(), F_SETFL, O_NONBLOCK);
    (name == kClientsName ? clients_ : status_) = std::move(socket);
  }
  if (!clients_.open()) {
    return BadInput("systemd passed no " + std::string(kClientsName));
  }
  HALFTONED_TRY_ASSIGN(path_, PathOf(clients_.get()));
  return {};
}

Result<void> Listeners::Make(const DaemonConfig& config) {
  HALFTONED_TRY_ASSIGN(lock_, Lock(config.socket + ".lock"));
  HALFTONED_TRY_ASSIGN(clients_, ListenAt(config.socket));
  path_ = own_clients_ = config.socket;
  HALFTONED_TRY(Share(config.socket, config.group));
  HALFTONED_TRY_ASSIGN(status_, ListenAt(config.status_socket));
  own_status_ = config.status_socket;
  if (::chmod(own_status_.c_str(), 0666) != 0) {
    return ErrnoError(ErrorCode::kUnavailable, own_status_);
  }
  return {};
}

Listeners::~Listeners() {
  for (const std::string& own : {own_clients_, own_status_}) {
    if (!own.empty()) ::unlink(own.c_str());
  }
}

}  // namespace halftoned::daemon
