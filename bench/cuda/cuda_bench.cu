// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The speed of a GPU: our kernel, and pages from pinned memory to pinned
// memory. Writes JSON: the machine, the date and the figures. Each figure is
// the median of its runs, after a warm-up. papers_bench compares the papers'
// methods with ours.

#include <cuda_runtime_api.h>

#include <cstdlib>
#include <ctime>
#include <string_view>

#include "bench/cuda/cuda_bench.h"
#include "tests/halftone/gpu/laid_page.cuh"

namespace halftoned::bench {

testing::GrayPage MakePage(int32_t width, int32_t rows, int depth,
                           Content content) {
  const Page page = *Page::Make(width, depth);
  return {page, rows, MakeSamples(page, rows, content)};
}

}  // namespace halftoned::bench

// The first argument selects a part: kernel, swaps or sessions; the second
// selects figures whose names contain its text.
int main(int argc, char* argv[]) {
  using namespace halftoned;
  const std::string_view part = argc > 1 ? argv[1] : "";
  if (argc > 2) bench::wanted = argv[2];
  setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);  // see device.h
  cudaDeviceProp gpu;
  int driver = 0, runtime = 0;
  testing::Check(cudaGetDeviceProperties(&gpu, 0), "GPU");
  testing::Check(cudaDriverGetVersion(&driver), "driver");
  testing::Check(cudaRuntimeGetVersion(&runtime), "runtime");
  char day[16];
  const std::time_t now = std::time(nullptr);
  std::strftime(day, sizeof(day), "%Y-%m-%d", std::gmtime(&now));
  std::printf(
      "{\n  \"gpu\": \"%s\",\n  \"cuda_driver\": %d,\n"
      "  \"cuda_runtime\": %d,\n  \"date\": \"%s\",\n"
      "  \"command\": \"cuda_bench\",\n  \"figures\": [",
      gpu.name, driver, runtime, day);
  if (part.empty() || part == "kernel") bench::BenchKernel();
  if (part.empty() || part == "swaps") bench::BenchSwaps();
  if (part.empty() || part == "sessions") bench::BenchSessions();
  std::printf("\n  ]\n}\n");
}
