// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/supervisor/clients/socket_closer.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/unix_socket.h"

namespace halftoned::daemon {
namespace {

// Closes all descriptors of this process except `kept`, which is sorted.
void CloseAllBut(const std::vector<int>& kept) {
  unsigned first = 0;
  for (const int fd : kept) {
    const auto next = static_cast<unsigned>(fd);
    if (next > first) ::close_range(first, next - 1, 0);
    first = next + 1;
  }
  ::close_range(first, ~0U, 0);
}

// In the child, where only system calls are safe. It leaves a child of its own,
// which ends once this process's parent has closed the other end of `done`.
[[noreturn]] void HoldAndEnd(const std::vector<int>& kept, int done) {
  if (::fork() == 0) {
    CloseAllBut(kept);
    char nothing;
    while (::read(done, &nothing, 1) < 0 && errno == EINTR) {
    }
  }
  ::_exit(0);
}

}  // namespace

void SocketCloser::Close(Descriptor socket) {
  if (socket.open() && HoldsDescriptors(socket.get())) {
    rest_.push_back(std::move(socket));
  }
}

void SocketCloser::CloseRest() {
  if (rest_.empty()) return;
  int ends[2];
  // Without descriptors or processes, the sockets wait for the next turn.
  if (::pipe2(ends, O_CLOEXEC) != 0) return;
  const Descriptor read_end(ends[0]);
  Descriptor write_end(ends[1]);
  std::vector<int> kept = {read_end.get()};
  for (const Descriptor& socket : rest_) kept.push_back(socket.get());
  std::ranges::sort(kept);
  const pid_t child = ::fork();
  if (child < 0) return;
  if (child == 0) HoldAndEnd(kept, read_end.get());
  while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  rest_.clear();
  write_end.Close();
}

}  // namespace halftoned::daemon
