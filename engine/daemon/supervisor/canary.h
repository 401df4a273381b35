// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A client of our own: asks a worker for a small page, through the socket that
// every client uses, and compares each bit with the definition. It waits like a
// client too, so it has a thread of its own.

#ifndef HALFTONED_DAEMON_SUPERVISOR_CANARY_H_
#define HALFTONED_DAEMON_SUPERVISOR_CANARY_H_

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "base/descriptor.h"
#include "base/result.h"
#include "wire/remote_connection.h"

namespace halftoned::daemon {

// Whether whichever worker `options` want makes the page of health rightly.
Result<void> CheckWorker(const wire::RemoteOptions& options);

// Used by one thread but for its own.
class Canary {
 public:
  static Result<std::unique_ptr<Canary>> Make();
  // Calls off what is under way.
  ~Canary();
  Canary(const Canary&) = delete;
  Canary& operator=(const Canary&) = delete;

  // Precondition: nothing is under way.
  void Check(wire::RemoteOptions options);
  // Readable when there is a result.
  int fd() const { return done_.get(); }
  std::optional<Result<void>> TakeResult();

 private:
  Canary(Descriptor done, Descriptor stop);
  void Run();

  Descriptor done_;
  Descriptor stop_;
  std::mutex mutex_;
  std::condition_variable asked_;
  std::optional<wire::RemoteOptions> order_;
  std::optional<Result<void>> result_;
  bool is_ending_ = false;
  std::thread thread_;
};

}  // namespace halftoned::daemon

#endif  // HALFTONED_DAEMON_SUPERVISOR_CANARY_H_
