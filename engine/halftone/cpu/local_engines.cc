// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/cpu/local_engines.h"

#include <functional>
#include <span>
#include <string>

#include "halftone/cpu/kernel.h"
#include "halftone/cpu/local_session.h"
#include "halftone/cpu/scalar.h"
#include "halftone/cpu/simd/core.h"
#include "halftone/cpu/simd/simd_strips.h"
#include "halftone/cpu/simd/swap_targets.h"
#include "halftone/cpu/strips.h"
#include "halftone/cpu/swap.h"
#include "halftone/cpu/two_pass_session.h"

namespace halftoned {
namespace {

// Both passes of which have code for every target.
constexpr MethodId kBestMethod = {Algorithm::kBest, 3};

constexpr KernelEntry kCached[] = {
    {{Algorithm::kFloydSteinberg, 1}, HalftoneCached, false},
};
std::span<const KernelEntry> CachedKernels() { return kCached; }

// Engines that are made of kernels. A new one is a line here; the equality
// suite takes it from the list of engines.
struct KernelEngine {
  std::string_view name;
  std::string_view needs;
  int priority;
  std::span<const KernelEntry> (*kernels)();
  SwapKernel swap;  // of methods that look ahead
};

constexpr KernelEngine kKernelEngines[] = {
    {"cached", "any processor; only for floyd-steinberg without crisp edges",
     10, CachedKernels, nullptr},
    {"scalar", "any processor", 0, Definitions, SwapByDefinition},
};

class LocalEngine : public Engine {
 public:
  LocalEngine(const KernelEngine& engine, Pool& pool)
      : name_(engine.name),
        needs_(engine.needs),
        priority_(engine.priority),
        serves_([kernels = engine.kernels](const Recipe& recipe) {
          return FindKernel(kernels(), recipe) != nullptr;
        }),
        make_(
            [kernels = engine.kernels](const Page& page, const Recipe& recipe) {
              return StripsOfBands(page, recipe, FindKernel(kernels(), recipe));
            }),
        swap_(engine.swap),
        pool_(&pool) {}

  LocalEngine(const simd::Target& target, Pool* pool)
      : name_(target.name),
        needs_(target.needs),
        priority_(target.priority),
        runs_here_(target.runs_here),
        serves_([&target](const Recipe& recipe) {
          return simd::Serves(recipe, target) || recipe.method() == kBestMethod;
        }),
        make_([&target](const Page& page, const Recipe& recipe) {
          return simd::OpenStrips(page, recipe, target);
        }),
        swap_(simd::SwapsOf(target.name)),
        pool_(pool) {}

  std::string_view name() const override { return name_; }
  std::string_view needs() const override { return needs_; }
  int priority() const override { return priority_; }

  Result<void> Probe() const override {
    if (!runs_here_ || runs_here_()) return {};
    return Unavailable("engine '" + std::string(name()) + "' needs " +
                       std::string(needs()));
  }

  Result<void> Serves(const Recipe& recipe) const override {
    if (!pool_ && (!recipe.is_pure() || recipe.looks_ahead())) {
      return Unavailable("pure pixels take part in the halftone");
    }
    if (serves_(recipe)) return {};
    return Unavailable("engine '" + std::string(name()) +
                       "' does not support " + std::string(recipe.name()) +
                       (ServesWithoutPurity(recipe)
                            ? " with pure pixels (text-edges not off)"
                            : ""));
  }

  Result<std::unique_ptr<Session>> Open(const PageOrder& order) const override {
    HALFTONED_TRY(Probe());
    HALFTONED_TRY(Serves(order.recipe));
    return order.recipe.looks_ahead()
               ? OpenTwoPassSession(order, make_, swap_, *pool_)
               : OpenLocalSession(order, make_, pool_);
  }

  size_t LookAheadBytes(const PageOrder& order) const override {
    return order.recipe.looks_ahead() ? TwoPassSessionBytes(order, *pool_) : 0;
  }

 private:
  // Whether it is only pure pixels that it lacks.
  bool ServesWithoutPurity(const Recipe& recipe) const {
    if (!recipe.is_pure()) return false;
    Recipe::Parts parts = recipe.parts();
    parts.parameters[Recipe::kPure] = 0;
    const Result<Recipe> impure = Recipe::Make(parts);
    return impure.ok() && serves_(*impure);
  }

  const std::string_view name_;
  const std::string_view needs_;
  const int priority_;
  bool (*const runs_here_)() = nullptr;  // none: everywhere
  const std::function<bool(const Recipe&)> serves_;
  const StripsMaker make_;
  const SwapKernel swap_ = nullptr;
  Pool* const pool_;  // null: only what needs no thread
};

}  // namespace

EngineList LocalEngines(Pool& pool) {
  EngineList engines;
  for (const simd::Target& target : simd::Targets()) {
    engines.push_back(std::make_unique<LocalEngine>(target, &pool));
  }
  for (const KernelEngine& engine : kKernelEngines) {
    engines.push_back(std::make_unique<LocalEngine>(engine, pool));
  }
  return engines;
}

std::unique_ptr<Engine> PureRowsEngine() {
  std::unique_ptr<Engine> best;
  for (const simd::Target& target : simd::Targets()) {
    if (!target.runs_here()) continue;
    if (best && best->priority() > target.priority) continue;
    best = std::make_unique<LocalEngine>(target, nullptr);
  }
  return best;
}

}  // namespace halftoned
