// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// worker-cpu: the worker on this machine's processors. The supervisor starts
// it; it is of no use by itself.

#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <optional>
#include <span>
#include <string>

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
  // The channel stays for last words.
  Worker worker(Control(Descriptor(::dup(kControlFd))), std::move(event),
                std::move(shop), pool.threads());
  return worker.Run();
}

// Why it cannot go on; nothing if all is done.
std::optional<std::string> Main(std::span<char* const> argv) {
  try {
    const Result<void> result = Run(argv);
    if (result.ok()) return std::nullopt;
    return result.error().message;
  } catch (const std::exception& exception) {
    return exception.what();
  }
}

int Fail(const std::string& why) {
  // The supervisor writes the log; who has none may still be told.
  if (!Control::SendLast(kControlFd, {why}).ok()) {
    std::fprintf(stderr, "halftoned: error: worker-cpu: %s\n", why.c_str());
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
  const auto why = halftoned::daemon::Main(
      std::span<char* const>(argv, static_cast<size_t>(argc)).subspan(1));
  return why ? halftoned::daemon::Fail(*why) : 0;
}
