// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The engines of a job's pages: halftoned, if halftoned.conf asks for it and it
// runs, and this process if it is missing or fails. The bits are the same.
// Connections end with the job.

#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "base/result.h"
#include "halftone/run/engine.h"
#include "print/engines/daemon_chain.h"
#include "wire/remote_connection.h"

namespace halftoned {

// How to reach the daemon; nothing if it is not used.
using DaemonUse = std::optional<wire::RemoteOptions>;

// As halftoned.conf says.
DaemonUse ReadDaemonUse();

class JobEngines {
 public:
  // The first two outlive it. `hello` describes the job.
  JobEngines(const EngineList& local, const DaemonUse& daemon,
             wire::Hello hello);

  // An engine that serves the recipe. It lives as long as this. Any thread may
  // call it.
  Result<const Engine*> For(const Recipe& recipe);

 private:
  const EngineList& local_;
  const DaemonUse& daemon_use_;
  const wire::Hello hello_;
  std::mutex mutex_;
  // By engine of this process, and by kind of recipe (KindOf).
  std::map<std::pair<const Engine*, uint32_t>, std::unique_ptr<DaemonChain>>
      chains_;
};

}  // namespace halftoned
