// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/engines/job_engines.h"

#include "config/config.h"
#include "halftone/cpu/local_engines.h"

namespace halftoned {

DaemonUse ReadDaemonUse() {
  const Config config = ReadWhatIsRight(ConfPath()).config;
  if (!config.use_of_daemon.use) return std::nullopt;
  return DaemonOptions(config.use_of_daemon, config.daemon);
}

JobEngines::JobEngines(const EngineList& local, const DaemonUse& daemon,
                       wire::Hello hello)
    : local_(local), daemon_use_(daemon), hello_(std::move(hello)) {}

Result<const Engine*> JobEngines::For(const Recipe& recipe) {
  HALFTONED_TRY_ASSIGN(const Engine* local,
                       ChooseEngine(local_, "auto", recipe));
  if (!daemon_use_) return local;
  const std::lock_guard lock(mutex_);
  const uint32_t kind = KindOf(recipe.parts());
  std::unique_ptr<DaemonChain>& chain = chains_[{local, kind}];
  if (!chain) {
    wire::RemoteOptions options = *daemon_use_;
    options.hello = hello_;
    options.hello.recipe_kind = kind;
    chain = std::make_unique<DaemonChain>(std::move(options), *local);
  }
  return &chain->engine();
}

}  // namespace halftoned
