// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times work on the default stream with CUDA events.

#pragma once

#include <cuda_runtime_api.h>

#include "tests/halftone/gpu/laid_page.cuh"

namespace halftoned::bench {

class Event {
 public:
  Event() { testing::Check(cudaEventCreate(&event_), "event"); }
  ~Event() { cudaEventDestroy(event_); }
  void Record() { testing::Check(cudaEventRecord(event_), "record"); }
  void Wait() { testing::Check(cudaEventSynchronize(event_), "work"); }
  double Since(const Event& earlier) const {
    float ms = 0;
    testing::Check(cudaEventElapsedTime(&ms, earlier.event_, event_), "time");
    return ms;
  }

 private:
  cudaEvent_t event_;
};

template <typename Work>
double GpuMilliseconds(const Work& work) {
  Event begin, end;
  begin.Record();
  work();
  end.Record();
  end.Wait();
  return end.Since(begin);
}

}  // namespace halftoned::bench
