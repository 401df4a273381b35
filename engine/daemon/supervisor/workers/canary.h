// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The daemon's own client: sends a worker a small page through the client
// socket, and compares each bit with the definition. It blocks like any client,
// so it has its own thread.

#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "halftone/page/recipe.h"
#include "wire/remote_connection.h"

namespace halftoned::daemon {

// What a check asks for.
struct CheckOrder {
  wire::RemoteOptions options;  // which worker
  std::vector<Recipe> recipes;  // that it serves
};

// Whether the worker halftones the health page correctly by each recipe.
Result<void> CheckWorker(const CheckOrder& order);

// Used by one thread; checks run on another.
class Canary {
 public:
  static Result<std::unique_ptr<Canary>> Make();
  // Cancels the check that is running.
  ~Canary();
  Canary(const Canary&) = delete;
  Canary& operator=(const Canary&) = delete;

  // Precondition: no check is running.
  void Check(CheckOrder order);
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
  std::optional<CheckOrder> order_;
  std::optional<Result<void>> result_;
  bool is_ending_ = false;
  std::thread thread_;
};

}  // namespace halftoned::daemon
