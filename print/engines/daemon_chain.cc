// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/engines/daemon_chain.h"

#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

#include "halftone/cpu/local_engines.h"

namespace halftoned {
namespace {

// Waits only briefly, since this process can do the work itself.
wire::RemoteOptions Impatient(wire::RemoteOptions options) {
  options.welcome_patience = std::chrono::seconds(1);
  return options;
}

}  // namespace

wire::RemoteOptions DaemonOptions(const UseOfDaemon& use,
                                  const DaemonConfig& daemon) {
  wire::RemoteOptions options;
  options.socket = daemon.socket;
  options.owner = daemon.user.value;
  options.use_ring = use.ring;
  options.patience =
      std::chrono::milliseconds(static_cast<int64_t>(use.timeout * 1000));
  return options;
}

DaemonChain::DaemonChain(wire::RemoteOptions daemon, const Engine& local,
                         FailoverEngine::OnMove on_move)
    : daemon_(Impatient(std::move(daemon))), pure_rows_(PureRowsEngine()) {
  std::vector<const Engine*> engines = {&daemon_, &daemon_, &local};
  if (pure_rows_) engines.insert(engines.begin(), pure_rows_.get());
  chain_ =
      std::make_unique<FailoverEngine>(std::move(engines), std::move(on_move));
}

}  // namespace halftoned
