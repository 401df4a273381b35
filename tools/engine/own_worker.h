// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A worker of halftoned that this process starts for itself, as the daemon
// would: to use a GPU without a daemon, or with a daemon that has none.

#pragma once

#include <sys/types.h>

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "base/descriptor.h"
#include "base/result.h"
#include "control/control.h"

namespace halftoned {

// Any thread may call any function.
class OwnWorker {
 public:
  explicit OwnWorker(std::string executable)
      : executable_(std::move(executable)) {}
  // Ends the worker. All connections must have been closed.
  ~OwnWorker();
  OwnWorker(const OwnWorker&) = delete;
  OwnWorker& operator=(const OwnWorker&) = delete;

  // Connects to the worker; the first call starts it. kUnavailable if it cannot
  // work.
  Result<Descriptor> Connect();

 private:
  // The mutex must be held.
  Result<void> Start();
  Result<void> WaitUntilReady();
  // Reads and ignores its messages about connections.
  Result<void> Listen();

  const std::string executable_;
  std::mutex mutex_;
  std::optional<daemon::Control> control_;
  std::optional<Error> failed_;
  pid_t pid_ = 0;  // 0: there is none
  uint64_t connections_ = 0;
};

}  // namespace halftoned
