// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// worker-cpu: the worker on this machine's processors. The supervisor starts
// it; it is of no use by itself.

#include <signal.h>

#include <cstdio>
#include <exception>
#include <span>

#include "daemon/worker/options.h"
#include "daemon/worker/worker.h"
#include "halftone/engine.h"

namespace halftoned::daemon {
namespace {

Result<void> Run(std::span<char* const> argv) {
  HALFTONED_TRY_ASSIGN(const WorkerOptions options, ParseOptions(argv));
  HALFTONED_TRY_ASSIGN(Descriptor event, ReadyList::MakeEvent());
  Pool pool(options.threads);
  const EngineList engines = LocalEngines(pool);
  HALFTONED_TRY_ASSIGN(const Engine* best,
                       ChooseEngine(engines, "auto", Recipe::FloydSteinberg()));
  Shop shop = ShopOf(options);
  shop.engines = &engines;
  shop.engine = best->name();
  Worker worker(Control(Descriptor(kControlFd)), std::move(event),
                std::move(shop), pool.threads());
  return worker.Run();
}

int Main(std::span<char* const> argv) {
  try {
    const Result<void> result = Run(argv);
    if (result.ok()) return 0;
    std::fprintf(stderr, "worker-cpu: %s\n", result.error().message.c_str());
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "worker-cpu: %s\n", exception.what());
  }
  return 1;
}

}  // namespace
}  // namespace halftoned::daemon

int main(int argc, char* argv[]) {
  // The supervisor says when to end; a terminal's signals are for it alone.
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    ::signal(number, SIG_IGN);
  }
  return halftoned::daemon::Main(
      std::span<char* const>(argv, static_cast<size_t>(argc)).subspan(1));
}
