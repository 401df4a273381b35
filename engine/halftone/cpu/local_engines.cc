// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/cpu/local_engines.h"

#include <functional>
#include <string>

#include "halftone/cpu/kernel.h"
#include "halftone/cpu/local_session.h"
#include "halftone/cpu/scalar.h"
#include "halftone/cpu/simd/core.h"
#include "halftone/cpu/simd/simd_strips.h"
#include "halftone/cpu/simd/swap/swap_targets.h"
#include "halftone/cpu/strips.h"
#include "halftone/cpu/swap.h"
#include "halftone/cpu/two_pass/two_pass_session.h"
#include "halftone/cpu/two_pass/two_pass_size.h"

namespace halftoned {
namespace {

// Both passes of this method have code for every target.
constexpr MethodId kBestMethod = {Algorithm::kBest, 4};

class LocalEngine : public Engine {
 public:
  // The definition.
  explicit LocalEngine(Pool& pool)
      : name_("scalar"),
        needs_("any CPU"),
        priority_(0),
        serves_([](const Recipe& recipe) {
          return FindKernel(Definitions(), recipe) != nullptr;
        }),
        make_([](const Page& page, const Recipe& recipe) {
          return StripsOfBands(page, recipe, FindKernel(Definitions(), recipe));
        }),
        swap_(SwapByDefinition),
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
                       "' does not support " + std::string(recipe.name()));
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
  engines.push_back(std::make_unique<LocalEngine>(pool));
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
