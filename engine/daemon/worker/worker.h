// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A worker: serves the connections that the supervisor hands over, with the
// engines of this process, until it is drained or the supervisor is gone. One
// thread waits for all of them; the engines have threads of their own.

#ifndef HALFTONED_DAEMON_WORKER_WORKER_H_
#define HALFTONED_DAEMON_WORKER_WORKER_H_

#include <chrono>
#include <map>
#include <memory>

#include "base/result.h"
#include "daemon/control.h"
#include "daemon/worker/client.h"
#include "daemon/worker/ready_list.h"

namespace halftoned::daemon {

class Worker {
 public:
  // How long pages that are open may go on after the supervisor has died.
  static constexpr std::chrono::seconds kOrphanPatience{30};

  // `shop.engines` outlives it. `self` is what the supervisor is told.
  Worker(Control control, Descriptor event, Shop shop, Ready self)
      : control_(std::move(control)),
        ready_(std::move(event)),
        shop_(std::move(shop)),
        self_(std::move(self)) {}

  // Until it has been drained; an error if it cannot go on.
  Result<void> Run();

 private:
  Result<void> Wait();
  Result<void> HandleControl();
  void Adopt(const daemon::Adopt& adopt, Descriptor socket);
  void Drain();
  void Serve(uint64_t number);
  void End(uint64_t number, const Error& error);
  void MindTime();
  Result<void> SendReport();
  int MillisecondsToWait() const;
  // Knows from the last turn's time whether this process was stopped since.
  void BeginTurn();

  Control control_;
  ReadyList ready_;
  Shop shop_;
  const Ready self_;
  std::map<uint64_t, std::unique_ptr<Client>> clients_;  // by their numbers
  std::vector<uint64_t> again_;  // clients with more to do at once
  Counters ended_;               // of clients that are gone
  std::optional<Clock::time_point> end_by_;
  Clock::time_point turn_ = Clock::now();
};

}  // namespace halftoned::daemon

#endif  // HALFTONED_DAEMON_WORKER_WORKER_H_
