// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/papers/methods/gpu_method.h"

namespace halftoned::papers {

// As table V of Kasagi, Nakano and Ito names them.
std::vector<ListedGpuMethod> GpuMethods() {
  std::vector<ListedGpuMethod> methods;
  const auto add = [&](const char* group, const std::string& name,
                       const GpuMethodMaker& make) {
    methods.push_back({group, name, make});
  };
  const std::pair<const char*, Stepwise> stepwise[] = {
      {"3-D PED (low parallelism)", Stepwise::kThreeDelayDiffusion},
      {"2-D PED with atomicAdd", Stepwise::kAtomicDiffusion},
      {"2-D PED with double kernel calls", Stepwise::kDoubledDiffusion},
      {"2-D PEC", Stepwise::kCollection}};
  const std::pair<const char*, Blockwise> blockwise[] = {
      {"2-D PED", Blockwise::kDiffusion},
      {"2-D PED with RC", Blockwise::kCachedDiffusion},
      {"2-D PEC", Blockwise::kCollection},
      {"2-D PEC with RC", Blockwise::kCachedCollection},
      {"2-D PEC with RC, by shuffles", Blockwise::kShuffledCollection}};
  for (const bool permuted : {false, true}) {
    for (const auto& [name, method] : stepwise) {
      add(permuted ? "global memory, data permutation" : "global memory", name,
          [=, method = method](int width, int rows) {
            return MakeStepwise(method, permuted, width, rows);
          });
    }
  }
  for (const bool as_graph : {false, true}) {
    for (const auto& [name, method] : blockwise) {
      add(as_graph ? "shared memory, a graph"
                   : "shared memory, a launch a label",
          name, [=, method = method](int width, int rows) {
            return MakeBlockwise(method, as_graph, width, rows);
          });
    }
  }
  for (const int threads : {32, 64, 128, 256}) {
    add("slanted scan lines", std::to_string(threads) + " threads",
        [=](int width, int rows) { return MakeSlanted(threads, width, rows); });
  }
  add("knight's order", "2 levels",
      [](int width, int rows) { return MakeKnight(false, width, rows); });
  return methods;
}

}  // namespace halftoned::papers
