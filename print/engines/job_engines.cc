// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/engines/job_engines.h"

#include <chrono>
#include <utility>
#include <vector>

#include "config/config.h"
#include "halftone/cpu/local_engines.h"
#include "halftone/run/failover.h"
#include "wire/remote_engine.h"

namespace halftoned {

DaemonUse ReadDaemonUse() {
  const Config config = ReadWhatIsRight(ConfPath()).config;
  if (!config.use_of_daemon.use) return std::nullopt;
  wire::RemoteOptions options;
  options.socket = config.daemon.socket;
  options.owner = config.daemon.user.value;
  options.use_ring = config.use_of_daemon.ring;
  options.patience = std::chrono::milliseconds(
      static_cast<int64_t>(config.use_of_daemon.timeout * 1000));
  // This process can do the work itself.
  options.welcome_patience = std::chrono::seconds(1);
  return options;
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
  WithDaemon& made = made_[{local, kind}];
  if (!made.engine) {
    wire::RemoteOptions options = *daemon_use_;
    options.hello = hello_;
    options.hello.recipe_kind = kind;
    made.daemon = std::make_unique<wire::RemoteEngine>(std::move(options));
    // Twice: another of its workers may serve where one has died.
    std::vector<const Engine*> engines = {made.daemon.get(), made.daemon.get(),
                                          local};
    if (!pure_rows_) pure_rows_ = PureRowsEngine();
    if (pure_rows_) engines.insert(engines.begin(), pure_rows_.get());
    made.engine = std::make_unique<FailoverEngine>(std::move(engines));
  }
  return made.engine.get();
}

}  // namespace halftoned
