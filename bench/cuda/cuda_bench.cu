// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The speed of a GPU: our kernel, and pages from pinned memory to pinned
// memory. Writes JSON: the machine, the date and the figures. Each figure is
// the median of its runs, after a warm-up. papers_bench compares the papers'
// methods with ours.

#include <cuda_runtime_api.h>

#include <cstdlib>
#include <cstring>
#include <ctime>
#include <random>
#include <string_view>

#include "bench/cuda/cuda_bench.h"
#include "tests/halftone/gpu/laid_page.cuh"

namespace halftoned::bench {

testing::GrayPage NoisePage(int32_t width, int32_t rows, int depth) {
  testing::GrayPage gray{*Page::Make(width, depth), rows, {}};
  gray.samples.resize(gray.bytes_per_row() * static_cast<size_t>(rows));
  std::mt19937_64 random(1);
  for (size_t i = 0; i + 8 <= gray.samples.size(); i += 8) {
    const uint64_t eight = random();
    std::memcpy(&gray.samples[i], &eight, sizeof(eight));
  }
  return gray;
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
