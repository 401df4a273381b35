// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/daemon/worker/test_worker.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <utility>
#include <variant>

#include "base/unix_socket.h"
#include "daemon/worker/recipe_kinds.h"
#include "halftone/cpu/local_engines.h"
#include "wire/codec.h"

namespace halftoned::testing {
namespace {

using daemon::Control;

// The test cannot go on without it.
template <typename T>
T Must(Result<T> result) {
  if (!result.ok()) std::abort();
  return std::move(*result);
}

}  // namespace

TestWorker::TestWorker(Setting setting)
    : pool_(setting.threads), engines_(LocalEngines(pool_)) {
  Control::Ends ends = Must(Control::MakePair());
  control_ = std::make_unique<Control>(std::move(ends.supervisor));
  daemon::Shop& shop = shop_;
  shop.engines = setting.engines ? setting.engines : &engines_;
  shop.worker = 1;
  shop.accounts.SetLimits(setting.limits);
  shop.page_idle = setting.page_idle;
  shop.frame_patience = setting.frame_patience;
  shop.band_bytes = setting.band_bytes;
  shop.loops = setting.loops;
  worker_ = std::thread([this, control = std::move(ends.worker)]() mutable {
    daemon::Worker worker(
        std::move(control), shop_,
        daemon::Ready{.engine = "auto",
                      .threads = 2,
                      .recipe_kinds = daemon::KindsServedBy(*shop_.engines)});
    (void)worker.Run();
  });
  if (!std::holds_alternative<daemon::Ready>(NextMessage())) std::abort();
  listener_ = std::make_unique<Listener>(
      [this](Descriptor socket) { Adopt(std::move(socket)); });
}

TestWorker::~TestWorker() {
  listener_->Stop();
  Drain();
  worker_.join();
}

void TestWorker::Adopt(Descriptor socket, uint32_t job, bool is_check) {
  daemon::Adopt adopt;
  adopt.hello.job = job;
  // The supervisor is the parent of its workers.
  if (is_check) adopt.credentials.pid = ::getppid();
  adopt.connection = ++connections_;
  // A worker that has ended drops it.
  (void)control_->Send(daemon::FromSupervisor(adopt), socket.get());
  socket.Close();
  ++adopted_;
}

void TestWorker::AwaitAdopted() const {
  while (adopted_ < connections_) ::poll(nullptr, 0, 1);
}

RawPeer TestWorker::Connect(uint32_t job, bool is_check) {
  auto pair = MakeSocketPair(SOCK_STREAM);
  if (!pair.ok()) std::abort();
  Adopt(std::move(pair->first), job, is_check);
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
    if (message && !std::holds_alternative<daemon::Adopted>(*message)) {
      return std::move(*message);
    }
    if (message) continue;
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
