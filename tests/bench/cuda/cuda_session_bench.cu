// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pages from pinned memory to pinned memory, through sessions, by the host's
// clock: opening the session, all bands, the last answer. Rooms are filled
// once, before; a client that fills them is not what is measured here.

#include <cuda_runtime_api.h>

#include <cstring>
#include <thread>

#include "halftone/cuda/device.h"
#include "tests/bench/cuda/cuda_bench.h"
#include "tests/bench/through_session.h"
#include "tests/cuda/laid_page.cuh"

namespace halftoned::bench {
namespace {

using testing::Check;

void RunPage(CudaDevice& device, int32_t rows_per_band, bool fill) {
  const auto session = Must(device.Open(
      {*Page::Make(kA4Width, 8), Recipe::FloydSteinberg(), {}, rows_per_band}));
  RunNoise(*session, kA4Rows, fill);
}

constexpr double kA4Pixels = double{kA4Width} * kA4Rows;

void BenchOnePage(CudaDevice& device) {
  for (int32_t rows : {256, 384, 512, 768, 1024, 2048, kA4Rows}) {
    RunPage(device, rows, true);
    Report("one A4 page, pinned to pinned, bands of " + std::to_string(rows),
           Measure(31,
                   [&] {
                     return Milliseconds([&] { RunPage(device, rows, false); });
                   }),
           kA4Pixels);
  }
}

// The bus alone, from pinned memory, in pieces of one band of the pages below.
Timing CopyAlone(size_t bytes, size_t piece) {
  std::byte *host, *there;
  Check(cudaMallocHost(&host, bytes), "pinned");
  Check(cudaMalloc(&there, bytes), "device");
  std::memset(host, 77, bytes);
  const Timing timing = Measure(11, [&] {
    return Milliseconds([&] {
      for (size_t at = 0; at < bytes; at += piece) {
        Check(
            cudaMemcpyAsync(there + at, host + at, std::min(piece, bytes - at),
                            cudaMemcpyHostToDevice),
            "copy");
      }
      Check(cudaDeviceSynchronize(), "copies");
    });
  });
  cudaFree(there);
  cudaFreeHost(host);
  return timing;
}

// `clients` threads, each with its share of the pages.
Timing BenchPages(CudaDevice& device, int pages, int32_t rows, int clients) {
  const auto run = [&](int all, bool fill) {
    std::vector<std::thread> threads;
    for (int client = 0; client < clients; ++client) {
      const int mine = (all + clients - 1 - client) / clients;
      threads.emplace_back([&device, rows, mine, fill] {
        for (int i = 0; i < mine; ++i) RunPage(device, rows, fill);
      });
    }
    for (std::thread& thread : threads) thread.join();
  };
  run(clients, true);
  return Measure(7, [&] { return Milliseconds([&] { run(pages, false); }); });
}

void BenchManyPages(CudaDevice& device) {
  constexpr int kPages = 32;
  const auto page_bytes = static_cast<size_t>(kA4Pixels);
  const Timing limit = CopyAlone(kPages * page_bytes, size_t{kA4Width} * 1024);
  Report("32 A4 pages, copy to the GPU alone", limit, kPages * kA4Pixels);
  for (int32_t rows : {256, 512, 1024}) {
    for (int clients : {1, 2, 3, 4, 6, 8}) {
      const Timing timing = BenchPages(device, kPages, rows, clients);
      char ratio[64];
      std::snprintf(ratio, sizeof(ratio), ", \"of_copy_alone\": %.3f",
                    limit.median_ms / timing.median_ms);
      Report("32 A4 pages, bands of " + std::to_string(rows) + ", " +
                 std::to_string(clients) + " at once",
             timing, kPages * kA4Pixels, ratio);
    }
  }
}

}  // namespace

void BenchSessions() {
  const auto device = Must(OpenCudaDevice(0));
  Report(
      "one A4 page, copy to the GPU alone",
      CopyAlone(static_cast<size_t>(kA4Pixels), static_cast<size_t>(kA4Pixels)),
      kA4Pixels);
  BenchOnePage(*device);
  BenchManyPages(*device);
}

}  // namespace halftoned::bench
