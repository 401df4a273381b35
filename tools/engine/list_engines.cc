// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `halftone engines`.

#include <cstdio>

#include "base/json.h"
#include "commands.h"
#include "halftone/cpu/local_engines.h"

namespace halftoned {

int RunCommand(const ListEngines& options) {
  Pool pool;
  const EngineList engines = LocalEngines(pool);
  const auto best = ChooseEngine(engines, "auto", Recipe::Fine());
  for (const auto& engine : engines) {
    const char* state = !engine->Probe().ok()                ? "missing"
                        : best.ok() && *best == engine.get() ? "default"
                                                             : "ready";
    if (options.json) {
      const Json json = {{"name", engine->name()},
                         {"state", state},
                         {"needs", engine->needs()}};
      std::fputs(JsonLine(json).c_str(), stdout);
      continue;
    }
    std::printf("%-12.*s %-8s needs %.*s\n",
                static_cast<int>(engine->name().size()), engine->name().data(),
                state, static_cast<int>(engine->needs().size()),
                engine->needs().data());
  }
  return 0;
}

}  // namespace halftoned
