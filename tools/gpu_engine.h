// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The engine "cuda": halftoned's GPU if the daemon is there and has one, else a
// GPU worker of our own.

#ifndef HALFTONED_TOOLS_GPU_ENGINE_H_
#define HALFTONED_TOOLS_GPU_ENGINE_H_

#include <memory>
#include <string>

#include "halftone/engine.h"
#include "own_worker.h"
#include "wire/remote_engine.h"

namespace halftoned {

class GpuEngine : public Engine {
 public:
  // `of_daemon` tells where the daemon is; `executable` is the GPU worker.
  GpuEngine(wire::RemoteOptions of_daemon, std::string executable);

  std::string_view name() const override { return "cuda"; }
  std::string_view needs() const override { return "an NVIDIA GPU"; }
  // Behind those that start nothing: who wants it names it.
  int priority() const override { return -2; }
  Result<void> Probe() const override;
  // The worker refuses what it does not know.
  Result<void> Serves(const Recipe&) const override { return {}; }
  Result<std::unique_ptr<Session>> Open(const PageOrder& order) const override;

 private:
  // Sessions' connections end before the worker.
  const std::unique_ptr<OwnWorker> worker_;
  const wire::RemoteEngine of_daemon_;
  const wire::RemoteEngine own_;
};

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_GPU_ENGINE_H_
