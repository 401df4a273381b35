// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "status/ask_daemon.h"

#include <poll.h>

#include <array>
#include <cerrno>
#include <span>
#include <vector>

#include "base/unix_socket.h"

namespace halftoned {
namespace {

Result<void> WaitFor(const Descriptor& socket, int patience_ms) {
  pollfd wait{socket.get(), POLLIN, 0};
  int ready;
  do {
    ready = ::poll(&wait, 1, patience_ms);
  } while (ready < 0 && errno == EINTR);
  if (ready > 0) return {};
  return Unavailable("halftoned does not reply");
}

}  // namespace

Result<std::string> AskDaemon(const std::string& path,
                              const std::string& question, int patience_ms) {
  const Result<Descriptor> socket = ConnectTo(path);
  if (!socket.ok()) {
    return Unavailable("cannot reach halftoned at " + socket.error().message);
  }
  const std::string line = question + "\n";
  HALFTONED_TRY(SendSome(socket->get(), std::as_bytes(std::span(line))));
  std::string answer;
  for (;;) {
    HALFTONED_TRY(WaitFor(*socket, patience_ms));
    std::array<char, 16384> room;
    std::vector<Descriptor> none;
    HALFTONED_TRY_ASSIGN(
        const Received received,
        ReceiveSome(socket->get(), std::as_writable_bytes(std::span(room)),
                    none));
    if (received.ended) break;
    answer.append(room.data(), received.bytes);
  }
  if (answer.empty()) return Unavailable("halftoned is too busy to reply");
  if (answer.find('\0') != std::string::npos) {
    return Unavailable(path + " is not halftoned's status socket");
  }
  return answer;
}

Result<DaemonConfig> ReadDaemonConfig() {
  HALFTONED_TRY_ASSIGN(const Config config, ReadConfig(ConfPath()));
  return config.daemon;
}

}  // namespace halftoned
