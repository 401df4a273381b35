// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/devices/host_connection.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <chrono>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "printer_app/devices/canceled_call.h"
#include "printer_app/devices/own_server.h"

namespace halftoned {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kMostOfConnecting{30};
constexpr std::chrono::milliseconds kBetweenLooks{200};

struct FreeAddresses {
  void operator()(addrinfo* list) const { freeaddrinfo(list); }
};
using Addresses = std::unique_ptr<addrinfo, FreeAddresses>;

// flags: of getaddrinfo.
Addresses LookUp(const std::string& host, int port, int flags) {
  addrinfo hints = {};
  hints.ai_flags = flags;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* list = nullptr;
  const int error =
      getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &list);
  return Addresses(error == 0 ? list : nullptr);
}

Addresses AddressesOf(const std::string& host, int port,
                      const std::function<bool()>& is_canceled) {
  Addresses given = LookUp(host, port, AI_NUMERICHOST);
  if (given) return given;
  auto found = CallUnlessCanceled<Addresses>(
      [host, port] { return LookUp(host, port, 0); }, is_canceled);
  return found ? std::move(*found) : nullptr;
}

// Not open: it has failed.
Descriptor Begin(const addrinfo& address) {
  Descriptor connection(
      socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!connection.open()) return connection;
  SetPrinterOptions(connection.get());
  if (connect(connection.get(), address.ai_addr, address.ai_addrlen) != 0 &&
      errno != EINPROGRESS) {
    return Descriptor();
  }
  return connection;
}

bool HasFailed(int connection) {
  int error = 0;
  socklen_t size = sizeof(error);
  return getsockopt(connection, SOL_SOCKET, SO_ERROR, &error, &size) != 0 ||
         error != 0;
}

// Waits a moment for one of them, and removes those that fail.
Descriptor Await(std::vector<Descriptor>& pending) {
  std::vector<pollfd> waits;
  for (const Descriptor& each : pending) {
    waits.push_back({each.get(), POLLOUT, 0});
  }
  poll(waits.data(), waits.size(), static_cast<int>(kBetweenLooks.count()));
  std::vector<Descriptor> left;
  for (size_t i = 0; i < waits.size(); ++i) {
    if (waits[i].revents == 0) {
      left.push_back(std::move(pending[i]));
    } else if (!HasFailed(waits[i].fd)) {
      return std::move(pending[i]);
    }
  }
  pending = std::move(left);
  return Descriptor();
}

}  // namespace

bool NamesHost(std::string_view uri) {
  constexpr std::string_view kScheme = "socket:";
  if (LowerCase(uri.substr(0, kScheme.size())) != kScheme) return true;
  const std::string_view rest = uri.substr(kScheme.size());
  return rest.size() > 2 && rest.starts_with("//") &&
         std::string_view("/:?#").find(rest[2]) == uri.npos;
}

void SetPrinterOptions(int connection) {
  const int one = 1;
  const linger none = {0, 0};
  setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
  setsockopt(connection, SOL_SOCKET, SO_LINGER, &none, sizeof(none));
}

Result<Descriptor> ConnectToHost(const std::string& host, int port,
                                 const std::function<bool()>& is_canceled) {
  const Addresses addresses = AddressesOf(host, port, is_canceled);
  const auto end = Clock::now() + kMostOfConnecting;
  std::vector<Descriptor> pending;
  const std::string name = host + ':' + std::to_string(port);
  const addrinfo* next = addresses.get();
  while ((next || !pending.empty()) && Clock::now() < end && !is_canceled()) {
    if (next) {
      Descriptor begun = Begin(*next);
      next = next->ai_next;
      if (!begun.open()) continue;
      pending.push_back(std::move(begun));
    }
    Descriptor connected = Await(pending);
    if (!connected.open()) continue;
    if (!IsToThisServer(connected.get())) return connected;
    return IoError(name + " is this server, not a printer");
  }
  return IoError("Unable to connect to '" + name + "'.");
}

}  // namespace halftoned
