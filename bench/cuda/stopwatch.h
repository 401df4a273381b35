// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times work on the default stream by events.

#ifndef HALFTONED_BENCH_CUDA_STOPWATCH_H_
#define HALFTONED_BENCH_CUDA_STOPWATCH_H_

#include <cuda_runtime_api.h>

#include <functional>

#include "tests/halftone/gpu/laid_page.cuh"

namespace halftoned::bench {

class Stopwatch {
 public:
  Stopwatch() {
    testing::Check(cudaEventCreate(&start_), "event");
    testing::Check(cudaEventCreate(&stop_), "event");
  }
  ~Stopwatch() {
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
  }
  double Time(const std::function<void()>& work) {
    testing::Check(cudaEventRecord(start_), "start");
    work();
    testing::Check(cudaEventRecord(stop_), "stop");
    testing::Check(cudaEventSynchronize(stop_), "work");
    float ms = 0;
    testing::Check(cudaEventElapsedTime(&ms, start_, stop_), "time");
    return ms;
  }

 private:
  cudaEvent_t start_, stop_;
};

}  // namespace halftoned::bench

#endif  // HALFTONED_BENCH_CUDA_STOPWATCH_H_
