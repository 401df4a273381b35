// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// worker-cpu: the worker on this machine's processors.

#include <string>
#include <utility>

#include "daemon/worker/recipe_kinds.h"
#include "daemon/worker/worker.h"
#include "daemon/worker/worker_main.h"
#include "halftone/cpu/local_engines.h"

namespace halftoned::daemon {
namespace {

Result<void> Run(const WorkerOptions& options, Control control) {
  Pool pool(options.threads);
  const EngineList engines = LocalEngines(pool);
  HALFTONED_TRY_ASSIGN(const Engine* best,
                       ChooseEngine(engines, "auto", Recipe::Fine()));
  Shop shop = ShopOf(options);
  shop.engines = &engines;
  shop.engine = best->name();
  shop.accounts.SetLimits(
      {.all = {.memory = static_cast<size_t>(options.memory_mib) << 20},
       .connections = options.jobs});
  Worker worker(std::move(control), shop,
                {.engine = std::string(best->name()),
                 .threads = pool.threads(),
                 .recipe_kinds = KindsServedBy(engines)});
  return worker.Run();
}

}  // namespace
}  // namespace halftoned::daemon

int main(int argc, char* argv[]) {
  return halftoned::daemon::WorkerMain(argc, argv, "worker-cpu",
                                       halftoned::daemon::Role::kWorker,
                                       halftoned::daemon::Run);
}
