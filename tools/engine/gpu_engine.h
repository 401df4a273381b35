// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The engine "cuda": the daemon's GPU if it is running and has one, otherwise a
// GPU worker that this process starts.

#pragma once

#include <memory>
#include <string>

#include "engine/own_worker.h"
#include "halftone/run/engine.h"
#include "wire/remote_engine.h"

namespace halftoned {

class GpuEngine : public Engine {
 public:
  // of_daemon: how to connect to the daemon; executable: the GPU worker.
  GpuEngine(wire::RemoteOptions of_daemon, std::string executable);

  std::string_view name() const override { return "cuda"; }
  std::string_view needs() const override { return "an NVIDIA GPU"; }
  // Last, since it may start a process; users choose it by name.
  int priority() const override { return -2; }
  Result<void> Probe() const override;
  // The worker refuses recipes that it does not serve.
  Result<void> Serves(const Recipe&) const override { return {}; }
  Result<std::unique_ptr<Session>> Open(const PageOrder& order) const override;

 private:
  // Sessions' connections end before the worker.
  const std::unique_ptr<OwnWorker> worker_;
  const wire::RemoteEngine of_daemon_;
  const wire::RemoteEngine own_;
};

}  // namespace halftoned
