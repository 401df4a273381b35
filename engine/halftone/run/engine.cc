// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/run/engine.h"

#include <algorithm>
#include <string>

namespace halftoned {
namespace {

std::string NamesOf(const EngineList& engines) {
  std::string names = "auto";
  for (const auto& engine : engines) {
    names += ", " + std::string(engine->name());
  }
  return names;
}

}  // namespace

Result<const Engine*> FindEngine(const EngineList& engines,
                                 std::string_view name) {
  const auto named = std::ranges::find_if(
      engines, [&](const auto& engine) { return engine->name() == name; });
  if (named != engines.end()) return named->get();
  return BadInput("no engine is called '" + std::string(name) +
                  "'; there are " + NamesOf(engines));
}

Result<const Engine*> ChooseEngine(const EngineList& engines,
                                   std::string_view name,
                                   const Recipe& recipe) {
  if (name != "auto") {
    HALFTONED_TRY_ASSIGN(const Engine* named, FindEngine(engines, name));
    HALFTONED_TRY(named->Probe());
    HALFTONED_TRY(named->Serves(recipe));
    return named;
  }
  const Engine* best = nullptr;
  for (const auto& engine : engines) {
    if (best && engine->priority() <= best->priority()) continue;
    if (engine->Probe().ok() && engine->Serves(recipe).ok()) {
      best = engine.get();
    }
  }
  if (!best) {
    return Unavailable("no engine here supports " + std::string(recipe.name()));
  }
  return best;
}

}  // namespace halftoned
