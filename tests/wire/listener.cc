// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/wire/listener.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <utility>

#include "base/unix_socket.h"
#include "tests/wire/raw_peer.h"

namespace halftoned::testing {
namespace {

std::string MakeFolder() {
  std::string name = "/tmp/halftoned-test-XXXXXX";
  if (!::mkdtemp(name.data())) std::abort();
  return name;
}

Descriptor ListenAt(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof(address.sun_path) - 1);
  Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (::bind(socket.get(), reinterpret_cast<sockaddr*>(&address),
             sizeof(address)) != 0 ||
      ::listen(socket.get(), 1000) != 0) {
    std::abort();
  }
  return socket;
}

}  // namespace

Listener::Listener(OnConnection on_connection)
    : on_connection_(std::move(on_connection)),
      folder_(MakeFolder()),
      socket_(ListenAt(options().socket)) {
  auto ends = MakeSocketPair(SOCK_STREAM);
  if (!ends.ok()) std::abort();
  stop_ = std::move(ends->first);
  stopped_ = std::move(ends->second);
  thread_ = std::thread([this] { Run(); });
}

void Listener::Stop() {
  if (!thread_.joinable()) return;
  stop_.Close();
  thread_.join();
  ::unlink(options().socket.c_str());
  ::rmdir(folder_.c_str());
}

wire::RemoteOptions Listener::options() const {
  wire::RemoteOptions options;
  options.socket = folder_ + "/socket";
  return options;
}

void Listener::Run() {
  for (;;) {
    pollfd fds[] = {{socket_.get(), POLLIN, 0}, {stopped_.get(), POLLIN, 0}};
    ::poll(fds, 2, -1);
    if (fds[1].revents != 0) return;
    // A change of users interrupts every thread.
    if (fds[0].revents == 0) continue;
    Descriptor socket(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    std::array<std::byte, wire::kHelloBytes> hello;
    RawPeer client(std::move(socket));
    if (client.ReceiveBytes(hello)) on_connection_(client.Release());
  }
}

}  // namespace halftoned::testing
