// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/papers/methods/gpu_method.h"

namespace halftoned::papers {
namespace {

// As table V of Kasagi, Nakano and Ito names them.
constexpr const char* kGlobal = "global memory";
constexpr const char* kPermuted = "global memory, data permutation";
constexpr const char* kShared = "shared memory, a launch a label";
constexpr const char* kGraph = "shared memory, a graph";
constexpr const char* kSlanted = "slanted scan lines";
constexpr const char* kKnight = "knight's order";

void AddStepwise(std::vector<ListedGpuMethod>& methods, bool permuted) {
  const auto add = [&](const char* name, Stepwise method) {
    methods.push_back(
        {permuted ? kPermuted : kGlobal, name, 2, [=](int width, int rows) {
           return MakeStepwise(method, permuted, width, rows);
         }});
  };
  add("3-D PED (low parallelism)", Stepwise::kThreeDelayDiffusion);
  add("2-D PED with atomicAdd", Stepwise::kAtomicDiffusion);
  add("2-D PED with double kernel calls", Stepwise::kDoubledDiffusion);
  add("2-D PEC", Stepwise::kCollection);
}

void AddBlockwise(std::vector<ListedGpuMethod>& methods, bool as_graph) {
  const auto add = [&](const char* name, Blockwise method) {
    methods.push_back(
        {as_graph ? kGraph : kShared, name, 2, [=](int width, int rows) {
           return MakeBlockwise(method, as_graph, width, rows);
         }});
  };
  add("2-D PED", Blockwise::kDiffusion);
  add("2-D PED with RC", Blockwise::kCachedDiffusion);
  add("2-D PEC", Blockwise::kCollection);
  add("2-D PEC with RC", Blockwise::kCachedCollection);
  add("2-D PEC with RC, by shuffles", Blockwise::kShuffledCollection);
}

}  // namespace

std::vector<ListedGpuMethod> GpuMethods() {
  std::vector<ListedGpuMethod> methods;
  AddStepwise(methods, false);
  AddStepwise(methods, true);
  AddBlockwise(methods, false);
  AddBlockwise(methods, true);
  for (int threads : {32, 64, 128, 256}) {
    methods.push_back({kSlanted, std::to_string(threads) + " threads", 2,
                       [=](int width, int rows) {
                         return MakeSlanted(threads, width, rows);
                       }});
  }
  for (int levels : {2, 4, 8}) {
    methods.push_back({kKnight, std::to_string(levels) + " levels", levels,
                       [=](int width, int rows) {
                         return MakeKnight(levels, false, width, rows);
                       }});
  }
  return methods;
}

}  // namespace halftoned::papers
