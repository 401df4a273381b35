// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In the place of the GPU's part, in builds without CUDA.

#include "tests/bench/papers/papers_bench.h"

namespace halftoned::bench {

std::string GpuName() { return ""; }
void BenchGpu(const std::vector<int>&) {}
void SweepGpu() {}

}  // namespace halftoned::bench
