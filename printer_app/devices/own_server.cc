// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/devices/own_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "base/text.h"
#include "printer_app/front/callers/connection_owner.h"

namespace halftoned {
namespace {

constexpr char kPort[] = "HALFTONED_SERVER_PORT";

std::optional<sockaddr_storage> AddressOfPeer(int connection) {
  sockaddr_storage peer = {};
  socklen_t size = sizeof(peer);
  if (getpeername(connection, reinterpret_cast<sockaddr*>(&peer), &size) ||
      (peer.ss_family != AF_INET && peer.ss_family != AF_INET6)) {
    return std::nullopt;
  }
  return peer;
}

}  // namespace

void SetServerPort(int port) { setenv(kPort, std::to_string(port).c_str(), 1); }

bool IsToThisServer(int connection) {
  const char* port = std::getenv(kPort);
  const auto peer = AddressOfPeer(connection);
  if (!port || !peer) return false;
  // As in sockaddr_in6.
  const auto& ipv4 = reinterpret_cast<const sockaddr_in&>(*peer);
  return ntohs(ipv4.sin_port) == std::atoi(port) && IsOfThisMachine(*peer);
}

bool IsToThisMachine(int connection) {
  const auto peer = AddressOfPeer(connection);
  return peer && IsOfThisMachine(*peer);
}

bool IsHttpRequest(std::string_view beginning) {
  constexpr std::string_view kBlanks = " \t\r\n\v\f";
  beginning.remove_prefix(
      std::min(beginning.find_first_not_of(kBlanks), beginning.size()));
  const std::string line = LowerCase(beginning.substr(0, beginning.find('\n')));
  const size_t method = line.find_first_not_of("abcdefghijklmnopqrstuvwxyz");
  return method != 0 && method != line.npos &&
         kBlanks.find(line[method]) != kBlanks.npos &&
         line.find("http/", method) != line.npos;
}

}  // namespace halftoned
