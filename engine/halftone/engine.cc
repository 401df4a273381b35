// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/engine.h"

#include <algorithm>
#include <string>

#include "halftone/kernel.h"
#include "halftone/local_session.h"
#include "halftone/scalar.h"
#include "halftone/simd/core.h"
#include "halftone/simd/simd_strips.h"
#include "halftone/strips.h"

namespace halftoned {
namespace {

// Scalar kernels. A new one is a line here; the equality suite takes it from
// the list of engines.
struct ScalarKernel {
  std::string_view name;
  std::string_view needs;
  int priority;
  Kernel kernel;
  bool (*knows)(const Recipe& recipe);
};

bool IsPlainFloydSteinberg(const Recipe& recipe) {
  return recipe.algorithm() == Algorithm::kFloydSteinberg && !recipe.is_pure();
}

bool IsAny(const Recipe&) { return true; }

constexpr ScalarKernel kScalarKernels[] = {
    {"cached", "any processor; only for floyd-steinberg without crisp edges",
     10, HalftoneCached, IsPlainFloydSteinberg},
    {"scalar", "any processor", 0, HalftoneByDefinition, IsAny},
};

class LocalEngine : public Engine {
 public:
  LocalEngine(const ScalarKernel& kernel, Pool& pool)
      : name_(kernel.name),
        needs_(kernel.needs),
        priority_(kernel.priority),
        knows_(kernel.knows),
        make_([kernel = kernel.kernel](const Page& page, const Recipe& recipe) {
          return StripsOfBands(page, recipe, kernel);
        }),
        pool_(pool) {}

  LocalEngine(const simd::Target& target, Pool& pool)
      : name_(target.name),
        needs_(target.needs),
        priority_(target.priority),
        runs_here_(target.runs_here),
        knows_(IsAny),
        make_([&target](const Page& page, const Recipe& recipe) {
          return simd::OpenStrips(page, recipe, target);
        }),
        pool_(pool) {}

  std::string_view name() const override { return name_; }
  std::string_view needs() const override { return needs_; }
  int priority() const override { return priority_; }

  Result<void> Probe() const override {
    if (!runs_here_ || runs_here_()) return {};
    return Unavailable("engine " + std::string(name()) + " needs " +
                       std::string(needs()));
  }

  Result<void> Serves(const Recipe& recipe) const override {
    if (knows_(recipe)) return {};
    return Unavailable("engine " + std::string(name()) + " does not know " +
                       std::string(recipe.name()) +
                       (recipe.is_pure() ? " with pure pixels" : ""));
  }

  Result<std::unique_ptr<Session>> Open(const PageOrder& order) const override {
    HALFTONED_TRY(Probe());
    HALFTONED_TRY(Serves(order.recipe));
    return OpenLocalSession(order, make_, pool_);
  }

 private:
  const std::string_view name_;
  const std::string_view needs_;
  const int priority_;
  bool (*const runs_here_)() = nullptr;  // none: everywhere
  bool (*const knows_)(const Recipe& recipe);
  const StripsMaker make_;
  Pool& pool_;
};

std::string NamesOf(const EngineList& engines) {
  std::string names = "auto";
  for (const auto& engine : engines) {
    names += ", " + std::string(engine->name());
  }
  return names;
}

}  // namespace

EngineList LocalEngines(Pool& pool) {
  EngineList engines;
  for (const simd::Target& target : simd::Targets()) {
    engines.push_back(std::make_unique<LocalEngine>(target, pool));
  }
  for (const ScalarKernel& kernel : kScalarKernels) {
    engines.push_back(std::make_unique<LocalEngine>(kernel, pool));
  }
  return engines;
}

Result<const Engine*> ChooseEngine(const EngineList& engines,
                                   std::string_view name,
                                   const Recipe& recipe) {
  if (name != "auto") {
    const auto named = std::ranges::find_if(
        engines, [&](const auto& engine) { return engine->name() == name; });
    if (named == engines.end()) {
      return BadInput("no engine is called '" + std::string(name) +
                      "'; there are " + NamesOf(engines));
    }
    HALFTONED_TRY((*named)->Probe());
    HALFTONED_TRY((*named)->Serves(recipe));
    return named->get();
  }
  const Engine* best = nullptr;
  for (const auto& engine : engines) {
    if (best && engine->priority() <= best->priority()) continue;
    if (engine->Probe().ok() && engine->Serves(recipe).ok()) {
      best = engine.get();
    }
  }
  if (!best) {
    return Unavailable("no engine here knows " + std::string(recipe.name()));
  }
  return best;
}

}  // namespace halftoned
