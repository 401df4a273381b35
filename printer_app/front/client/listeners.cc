// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/client/listeners.h"

#include <cups/http.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "base/unix_socket.h"

namespace halftoned {
namespace {

constexpr int kBacklog = 1024;  // many come at once where one floods
constexpr int kFirstPort = 8000;
constexpr int kLastPort = 9999;
constexpr int kPortsOfUsers = 1000;

struct FreeAddresses {
  void operator()(addrinfo* list) const { freeaddrinfo(list); }
};

Result<Descriptor> ListenAt(const addrinfo& address) {
  Descriptor listener(
      socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const int on = 1;
  setsockopt(listener.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  if (address.ai_family == AF_INET6) {
    setsockopt(listener.get(), IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on));
  }
  if (!listener.open() ||
      bind(listener.get(), address.ai_addr, address.ai_addrlen) ||
      listen(listener.get(), kBacklog)) {
    return ErrnoError(ErrorCode::kIo, "server-port");
  }
  return listener;
}

// A host name can resolve to the same address more than once.
bool IsListed(const addrinfo* list, const addrinfo& address) {
  for (; list != &address; list = list->ai_next) {
    if (list->ai_addrlen == address.ai_addrlen &&
        !std::memcmp(list->ai_addr, address.ai_addr, address.ai_addrlen)) {
      return true;
    }
  }
  return false;
}

// Listens at one or more addresses of the host; an error says why at none. Also
// fails if another program has the port at one of the addresses, because
// clients could reach either program.
Result<std::vector<Descriptor>> ListenAtPort(const std::string& host,
                                             int port) {
  addrinfo hints = {};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV | (host == "localhost" ? 0 : AI_PASSIVE);
  addrinfo* found = nullptr;
  // An IPv6 address can be in brackets.
  std::string name = host;
  if (name.starts_with('[') && name.ends_with(']')) {
    name = name.substr(1, name.size() - 2);
  }
  // Names of this machine need no lookup in a file or on a server.
  const bool is_named = host != "*" && host != "localhost";
  const int error = getaddrinfo(is_named ? name.c_str() : nullptr,
                                std::to_string(port).c_str(), &hints, &found);
  if (error) return IoError(host + ": " + gai_strerror(error));
  const std::unique_ptr<addrinfo, FreeAddresses> list(found);
  std::vector<Descriptor> listeners;
  Error why = IoError(host + ": no address");
  for (const addrinfo* each = found; each; each = each->ai_next) {
    if (IsListed(found, *each)) continue;
    Result<Descriptor> listener = ListenAt(*each);
    if (listener.ok()) {
      listeners.push_back(std::move(*listener));
    } else if (errno == EADDRINUSE) {
      return IoError("server-port: in use by another program");
    } else if (each->ai_family == AF_INET || listeners.empty()) {
      why = listener.error();
    }
  }
  if (listeners.empty()) return why;
  return listeners;
}

}  // namespace

Result<Descriptor> ListenAtPath(const std::string& path) {
  HALFTONED_TRY_ASSIGN(const SocketAddress address, AddressOf(path));
  Descriptor listener(
      socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  unlink(path.c_str());
  if (!listener.open() || bind(listener.get(), address.get(), address.size()) ||
      chmod(path.c_str(), 0777) || listen(listener.get(), kBacklog)) {
    return ErrnoError(ErrorCode::kIo, path);
  }
  return listener;
}

Result<std::vector<Descriptor>> ListenAtHost(const std::string& host,
                                             int& port) {
  if (port > 0) return ListenAtPort(host, port);
  for (port = kFirstPort + static_cast<int>(getuid() % kPortsOfUsers);
       port < kLastPort; ++port) {
    auto listeners = ListenAtPort(host, port);
    if (listeners.ok()) return listeners;
  }
  return IoError("server-port: none is free");
}

Result<std::vector<Descriptor>> ListenersOfSystemd(int& port) {
  std::vector<Descriptor> listeners;
  const int count = sd_listen_fds(1);
  for (int i = 0; i < count; ++i) {
    listeners.emplace_back(SD_LISTEN_FDS_START + i);
    const int file = listeners.back().get();
    http_addr_t address = {};
    socklen_t size = sizeof(address);
    if (sd_is_socket_inet(file, AF_UNSPEC, SOCK_STREAM, 1, 0) <= 0 ||
        getsockname(file, &address.addr, &size) != 0) {
      return BadInput("systemd passed a socket that does not listen for TCP");
    }
    const int own = httpAddrPort(&address);
    if (port == 0) port = own;
    if (port != own) {
      return BadInput("server-port: systemd listens on port " +
                      std::to_string(own));
    }
    // Addresses of IPv4 clients would look like IPv6.
    int is_apart = 1;
    size = sizeof(is_apart);
    if (address.addr.sa_family == AF_INET6 &&
        (getsockopt(file, IPPROTO_IPV6, IPV6_V6ONLY, &is_apart, &size) != 0 ||
         !is_apart)) {
      return BadInput("systemd's socket unit needs BindIPv6Only=ipv6-only");
    }
    fcntl(file, F_SETFL, O_NONBLOCK);
  }
  return listeners;
}

}  // namespace halftoned
