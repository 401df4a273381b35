// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A worker of halftoned's that this process starts for itself, as the daemon
// would: for who wants a GPU where there is no daemon, or none with a GPU.

#ifndef HALFTONED_TOOLS_OWN_WORKER_H_
#define HALFTONED_TOOLS_OWN_WORKER_H_

#include <sys/types.h>

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "base/descriptor.h"
#include "base/result.h"
#include "daemon/control.h"

namespace halftoned {

// Any thread may call any function.
class OwnWorker {
 public:
  explicit OwnWorker(std::string executable)
      : executable_(std::move(executable)) {}
  // Ends it. Nobody has a connection any more.
  ~OwnWorker();
  OwnWorker(const OwnWorker&) = delete;
  OwnWorker& operator=(const OwnWorker&) = delete;

  // A connection to the worker, which is started for the first one.
  // kUnavailable, and why, if it cannot work.
  Result<Descriptor> Connect();

 private:
  // With the mutex held.
  Result<void> Start();
  Result<void> WaitUntilReady();
  // Hears what it says of connections, which nobody here asks about.
  Result<void> Listen();

  const std::string executable_;
  std::mutex mutex_;
  std::optional<daemon::Control> control_;
  std::optional<Error> failed_;
  pid_t pid_ = 0;  // 0: there is none
  uint64_t connections_ = 0;
};

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_OWN_WORKER_H_
