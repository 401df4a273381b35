// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The daemon in front of an engine of this process. Rows without gray are
// halftoned here. With its first gray row, a page moves to the daemon. If the
// daemon fails, the page goes to it once more, since another of its workers
// might serve it, and then comes back here. The bits are the same.

#pragma once

#include <memory>

#include "config/config.h"
#include "halftone/run/engine.h"
#include "halftone/run/failover.h"
#include "wire/remote_connection.h"
#include "wire/remote_engine.h"

namespace halftoned {

// How to reach the daemon, without the hello, which is the job's.
wire::RemoteOptions DaemonOptions(const UseOfDaemon& use,
                                  const DaemonConfig& daemon);

class DaemonChain {
 public:
  // `local` outlives it.
  DaemonChain(wire::RemoteOptions daemon, const Engine& local,
              FailoverEngine::OnMove on_move = nullptr);

  const Engine& engine() const { return *chain_; }

 private:
  const wire::RemoteEngine daemon_;
  const std::unique_ptr<Engine> pure_rows_;  // null if there is none
  std::unique_ptr<FailoverEngine> chain_;
};

}  // namespace halftoned
