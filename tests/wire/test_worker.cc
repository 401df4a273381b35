// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/wire/test_worker.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <utility>
#include <variant>

#include "base/unix_socket.h"
#include "wire/codec.h"

namespace halftoned::testing {
namespace {

using daemon::Control;

// The test cannot go on without.
template <typename T>
T Must(Result<T> result) {
  if (!result.ok()) std::abort();
  return std::move(*result);
}

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

TestWorker::TestWorker(Setting setting)
    : folder_(MakeFolder()),
      listener_(ListenAt(folder_ + "/socket")),
      pool_(setting.threads),
      engines_(LocalEngines(pool_)) {
  auto [stop, stopped] = Must(MakeSocketPair(SOCK_STREAM));
  stop_ = std::move(stop);
  stopped_ = std::move(stopped);
  Control::Ends ends = Must(Control::MakePair());
  control_ = std::make_unique<Control>(std::move(ends.supervisor));
  daemon::Shop shop;
  shop.engines = setting.engines ? setting.engines : &engines_;
  shop.engine = setting.engine;
  shop.worker = 1;
  shop.memory_limit = setting.memory_limit;
  shop.page_idle = setting.page_idle;
  shop.frame_patience = setting.frame_patience;
  worker_ = std::thread([control = std::move(ends.worker), shop]() mutable {
    daemon::Worker worker(std::move(control),
                          Must(daemon::ReadyList::MakeEvent()), std::move(shop),
                          2);
    (void)worker.Run();
  });
  if (!std::holds_alternative<daemon::Ready>(NextMessage())) std::abort();
  acceptor_ = std::thread([this] { Accept(); });
}

TestWorker::~TestWorker() {
  stop_.Close();
  acceptor_.join();
  Drain();
  worker_.join();
  ::unlink((folder_ + "/socket").c_str());
  ::rmdir(folder_.c_str());
}

wire::RemoteOptions TestWorker::options() const {
  wire::RemoteOptions options;
  options.socket = folder_ + "/socket";
  return options;
}

void TestWorker::Accept() {
  for (;;) {
    pollfd fds[] = {{listener_.get(), POLLIN, 0}, {stopped_.get(), POLLIN, 0}};
    ::poll(fds, 2, -1);
    if (fds[1].revents != 0) return;
    const Descriptor socket(
        ::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    std::array<std::byte, wire::kHelloBytes> hello;
    RawPeer client{Descriptor(::dup(socket.get()))};
    if (client.ReceiveBytes(hello)) Adopt(socket.get());
  }
}

void TestWorker::Adopt(int fd) {
  daemon::Adopt adopt;
  adopt.connection = ++connections_;
  // A worker that has ended drops it.
  (void)control_->Send(daemon::FromSupervisor(adopt), fd);
}

RawPeer TestWorker::Connect() {
  auto pair = MakeSocketPair(SOCK_STREAM);
  if (!pair.ok()) std::abort();
  Adopt(pair->first.get());
  pair->first.Close();
  RawPeer peer(std::move(pair->second));
  if (!peer.Receive()) std::abort();
  return peer;
}

void TestWorker::Drain() {
  (void)control_->Send(daemon::FromSupervisor(daemon::Drain()));
}

daemon::FromWorker TestWorker::NextMessage() {
  for (;;) {
    auto message = Must(control_->ReceiveAsSupervisor());
    if (message) return std::move(*message);
    WaitFor(control_->fd(), POLLIN);
  }
}

daemon::Report TestWorker::Ask() {
  if (!control_->Send(daemon::FromSupervisor(daemon::Ask())).ok()) std::abort();
  for (;;) {
    auto message = NextMessage();
    if (auto* report = std::get_if<daemon::Report>(&message)) {
      return std::move(*report);
    }
    closed_.push_back(std::get<daemon::Closed>(message));
  }
}

daemon::Closed TestWorker::WaitForClosed() {
  if (closed_.empty()) {
    closed_.push_back(std::get<daemon::Closed>(NextMessage()));
  }
  const daemon::Closed first = closed_.front();
  closed_.erase(closed_.begin());
  return first;
}

}  // namespace halftoned::testing
