// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/engine.h"

#include <algorithm>
#include <string>

#include "halftone/kernel.h"
#include "halftone/local_session.h"
#include "halftone/scalar.h"

namespace halftoned {
namespace {

struct LocalKernel {
  std::string_view name;
  std::string_view needs;
  int priority;
  bool (*runs_here)();
  Kernel kernel;
};

bool Always() { return true; }

// A new engine of this process is one line here; the equality suite takes it
// from this list.
constexpr LocalKernel kKernels[] = {
    {"cached", "any processor", 10, Always, HalftoneCached},
    {"scalar", "any processor", 0, Always, HalftoneByDefinition},
};

class LocalEngine : public Engine {
 public:
  LocalEngine(const LocalKernel& kernel, Pool& pool)
      : kernel_(kernel), pool_(pool) {}

  std::string_view name() const override { return kernel_.name; }
  std::string_view needs() const override { return kernel_.needs; }
  int priority() const override { return kernel_.priority; }

  Result<void> Probe() const override {
    if (kernel_.runs_here()) return {};
    return Unavailable("engine " + std::string(name()) + " needs " +
                       std::string(needs()));
  }

  Result<std::unique_ptr<Session>> Open(const PageOrder& order) const override {
    HALFTONED_TRY(Probe());
    return OpenLocalSession(order, kernel_.kernel, pool_);
  }

 private:
  const LocalKernel& kernel_;
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
  for (const LocalKernel& kernel : kKernels) {
    engines.push_back(std::make_unique<LocalEngine>(kernel, pool));
  }
  return engines;
}

Result<const Engine*> ChooseEngine(const EngineList& engines,
                                   std::string_view name) {
  if (name != "auto") {
    const auto named = std::ranges::find_if(
        engines, [&](const auto& engine) { return engine->name() == name; });
    if (named == engines.end()) {
      return BadInput("no engine is called '" + std::string(name) +
                      "'; there are " + NamesOf(engines));
    }
    HALFTONED_TRY((*named)->Probe());
    return named->get();
  }
  const Engine* best = nullptr;
  for (const auto& engine : engines) {
    if (best && engine->priority() <= best->priority()) continue;
    if (engine->Probe().ok()) best = engine.get();
  }
  if (!best) return Unavailable("no engine runs on this machine");
  return best;
}

}  // namespace halftoned
