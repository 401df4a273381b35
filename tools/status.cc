// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `halftone status`: asks halftoned, and prints its answer unchanged.

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <span>
#include <string>

#include "base/unix_socket.h"
#include "commands.h"
#include "daemon_config.h"

namespace halftoned {
namespace {

constexpr int kPatienceMs = 10'000;

Result<void> WaitFor(const Descriptor& socket) {
  pollfd wait{socket.get(), POLLIN, 0};
  int ready;
  do {
    ready = ::poll(&wait, 1, kPatienceMs);
  } while (ready < 0 && errno == EINTR);
  if (ready > 0) return {};
  return Unavailable("halftoned does not answer");
}

Result<std::string> SocketOf(const StatusOptions& options) {
  if (!options.socket.empty()) return options.socket;
  HALFTONED_TRY_ASSIGN(const DaemonConfig daemon, ReadDaemonConfig());
  return daemon.status_socket;
}

Result<std::string> Ask(const StatusOptions& options) {
  HALFTONED_TRY_ASSIGN(const std::string path, SocketOf(options));
  const Result<Descriptor> socket = ConnectTo(path);
  if (!socket.ok()) {
    return Unavailable("cannot reach halftoned at " + socket.error().message);
  }
  const std::string question = options.format + "\n";
  HALFTONED_TRY(SendSome(socket->get(), std::as_bytes(std::span(question))));
  std::string answer;
  for (;;) {
    HALFTONED_TRY(WaitFor(*socket));
    std::array<char, 16384> room;
    std::vector<Descriptor> none;
    HALFTONED_TRY_ASSIGN(
        const Received received,
        ReceiveSome(socket->get(), std::as_writable_bytes(std::span(room)),
                    none));
    if (received.ended) break;
    answer.append(room.data(), received.bytes);
  }
  if (answer.empty()) return Unavailable("halftoned is too busy to answer");
  if (answer.find('\0') != std::string::npos) {
    return Unavailable(path + " is not halftoned's status socket");
  }
  return answer;
}

Result<void> Print(const StatusOptions& options) {
  HALFTONED_TRY_ASSIGN(const std::string answer, Ask(options));
  return WriteFully(STDOUT_FILENO, std::as_bytes(std::span(answer)));
}

}  // namespace

int RunStatus(const StatusOptions& options) {
  const Result<void> printed = Print(options);
  if (printed.ok()) return 0;
  std::fprintf(stderr, "halftone: %s\n", printed.error().message.c_str());
  return 1;
}

}  // namespace halftoned
