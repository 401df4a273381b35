// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The engine "cuda": the daemon's GPU if it is running and has one, otherwise a
// GPU worker that this process starts.

#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/descriptor.h"
#include "base/result.h"
#include "control/control.h"
#include "halftone/run/engine.h"
#include "wire/remote_engine.h"

namespace halftoned {

// A worker of halftoned that this process starts for itself, like the daemon,
// to use a GPU if there is no daemon or the daemon has no GPU. Any thread may
// call any function.
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
  // Reads and ignores the worker's messages about connections.
  Result<void> Listen();

  const std::string executable_;
  std::mutex mutex_;
  std::optional<daemon::Control> control_;
  std::optional<Error> failed_;
  pid_t pid_ = 0;  // 0: no worker
  uint64_t connections_ = 0;
};

class GpuEngine : public Engine {
 public:
  // of_daemon: how to connect to the daemon; executable: the GPU worker.
  GpuEngine(wire::RemoteOptions of_daemon, std::string executable);

  std::string_view name() const override { return "cuda"; }
  std::string_view needs() const override { return "an NVIDIA GPU"; }
  // Last in the order, since it may start a process; users choose it by name.
  int priority() const override { return -2; }
  Result<void> Probe() const override;
  // The worker refuses recipes that it does not serve.
  Result<void> Serves(const Recipe&) const override { return {}; }
  Result<std::unique_ptr<Session>> Open(const PageOrder& order) const override;

 private:
  // Connections of sessions end before the worker.
  const std::unique_ptr<OwnWorker> worker_;
  const wire::RemoteEngine of_daemon_;
  const wire::RemoteEngine own_;
};

}  // namespace halftoned
