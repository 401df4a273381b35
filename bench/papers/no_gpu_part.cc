// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replaces the GPU's part in builds without CUDA.

#include "bench/papers/papers_bench.h"

namespace halftoned::bench {

std::string GpuName() { return ""; }
void BenchGpu(const std::vector<int>&) {}
void SweepGpu() {}

}  // namespace halftoned::bench
