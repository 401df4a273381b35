// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A worker: serves the connections that the supervisor hands over, with the
// engines of this process, until it is drained or the supervisor is gone. Its
// main thread talks to the supervisor; the loops serve the clients.

#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "base/result.h"
#include "control/control.h"
#include "daemon/worker/clients/client_loop.h"
#include "daemon/worker/clients/ready_list.h"
#include "daemon/worker/clients/worker_client.h"

namespace halftoned::daemon {

class Worker {
 public:
  // `shop` and its engines outlive it. self: sent to the supervisor.
  Worker(Control control, Shop& shop, Ready self)
      : control_(std::move(control)), shop_(shop), self_(std::move(self)) {}

  // Returns when the worker has been drained; an error if it cannot go on.
  Result<void> Run();

 private:
  Result<void> StartLoops();
  Result<void> Wait();
  Result<void> HandleNews();
  Result<void> HandleControl();
  void Adopt(const daemon::Adopt& adopt, Descriptor socket);
  void Drain();
  Result<void> SendReport();
  bool has_clients() const;

  Control control_;
  Shop& shop_;
  const Ready self_;
  std::optional<Clock::time_point> end_by_;
  std::optional<ReadyList> news_;  // the loops that have news
  std::vector<std::unique_ptr<ClientLoop>> loops_;
};

}  // namespace halftoned::daemon
