// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/devices/handed_connection.h"

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#include "base/unix_socket.h"

namespace halftoned {
namespace {

bool IsTcp(int file) {
  int protocol = 0;
  socklen_t size = sizeof(protocol);
  return getsockopt(file, SOL_SOCKET, SO_PROTOCOL, &protocol, &size) == 0 &&
         protocol == IPPROTO_TCP;
}

std::vector<int> TcpConnections() {
  std::vector<int> connections;
  std::error_code error;
  std::filesystem::directory_iterator files("/proc/self/fd", error);
  for (; !error && files != std::filesystem::end(files);
       files.increment(error)) {
    const int file = std::atoi(files->path().filename().c_str());
    if (IsTcp(file)) connections.push_back(file);
  }
  return connections;
}

}  // namespace

bool HandOverConnection(int unix_socket) {
  const std::vector<int> connections = TcpConnections();
  const std::byte begin{};
  if (connections.size() != 1) return false;
  const auto sent = SendSome(unix_socket, std::span(&begin, 1), connections);
  return sent.ok() && *sent == 1;
}

Descriptor TakeConnection(int unix_socket) {
  std::byte begin{};
  std::vector<Descriptor> files;
  const auto received = ReceiveSome(unix_socket, std::span(&begin, 1), files);
  if (!received.ok() || files.size() != 1 || !IsTcp(files[0].get())) return {};
  return std::move(files[0]);
}

}  // namespace halftoned
