// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "engine/gpu_engine.h"

#include <chrono>
#include <utility>

namespace halftoned {
namespace {

constexpr char kEngine[] = "cuda";  // the worker's name for it

wire::RemoteOptions OnAGpu(wire::RemoteOptions options) {
  options.engine = kEngine;
  return options;
}

wire::RemoteOptions At(OwnWorker& worker) {
  wire::RemoteOptions options;
  options.engine = kEngine;
  options.connect = [&worker] { return worker.Connect(); };
  return options;
}

}  // namespace

GpuEngine::GpuEngine(wire::RemoteOptions of_daemon, std::string executable)
    : worker_(std::make_unique<OwnWorker>(std::move(executable))),
      of_daemon_(OnAGpu(std::move(of_daemon))),
      own_(At(*worker_)) {}

Result<void> GpuEngine::Probe() const {
  return of_daemon_.Probe().ok() ? Result<void>() : own_.Probe();
}

Result<std::unique_ptr<Session>> GpuEngine::Open(const PageOrder& order) const {
  return of_daemon_.Probe().ok() ? of_daemon_.Open(order) : own_.Open(order);
}

}  // namespace halftoned
