// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pages from pinned memory to pinned memory, through sessions, by the host's
// clock: opening the session, all bands, the last answer. Rooms are filled
// once, before the measurement.

#include <cuda_runtime_api.h>

#include <cstring>
#include <thread>

#include "bench/cuda/cuda_bench.h"
#include "bench/through_session.h"
#include "halftone/cpu/local_engines.h"
#include "halftone/gpu/host/device.h"
#include "halftone/page/print_feedback.h"
#include "tests/halftone/gpu/laid_page.cuh"

namespace halftoned::bench {
namespace {

using testing::Check;

struct Subject {
  Recipe recipe;
  const char* name;
  void (*run)(Session& session, int32_t rows, bool fill);
};

void RunPage(CudaDevice& device, const Subject& subject, int32_t rows_per_band,
             bool fill) {
  const auto session = Must(device.Open(
      {*Page::Make(kA4Width, 8), subject.recipe, {}, rows_per_band}));
  subject.run(*session, kA4Rows, fill);
}

constexpr double kA4Pixels = double{kA4Width} * kA4Rows;

void BenchOnePage(CudaDevice& device, const Subject& subject) {
  for (int32_t rows : {256, 384, 512, 768, 1024, 2048, kA4Rows}) {
    const std::string figure = "one A4 page" + std::string(subject.name) +
                               ", pinned to pinned, bands of " +
                               std::to_string(rows);
    if (!IsWanted(figure)) continue;
    RunPage(device, subject, rows, true);
    const auto run = [&] { RunPage(device, subject, rows, false); };
    Report(figure, Measure(31, [&] { return Milliseconds(run); }), kA4Pixels);
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

// Pages on `clients` threads, each with its share.
Timing BenchPages(CudaDevice& device, const Subject& subject, int pages,
                  int32_t rows, int clients) {
  const auto run = [&](int all, bool fill) {
    std::vector<std::thread> threads;
    for (int client = 0; client < clients; ++client) {
      const int mine = (all + clients - 1 - client) / clients;
      threads.emplace_back([&device, &subject, rows, mine, fill] {
        for (int i = 0; i < mine; ++i) RunPage(device, subject, rows, fill);
      });
    }
    for (std::thread& thread : threads) thread.join();
  };
  run(clients, true);
  return Measure(7, [&] { return Milliseconds([&] { run(pages, false); }); });
}

constexpr int kPages = 32;

Timing BenchLimit() {
  const Timing limit = CopyAlone(kPages * static_cast<size_t>(kA4Pixels),
                                 size_t{kA4Width} * 1024);
  Report("32 A4 pages, copy to the GPU alone", limit, kPages * kA4Pixels);
  return limit;
}

void BenchManyPages(CudaDevice& device, const Subject& subject,
                    const Timing& limit) {
  for (int32_t rows : {256, 512, 1024}) {
    for (int clients : {1, 2, 3, 4, 6, 8}) {
      const std::string figure = "32 A4 pages" + std::string(subject.name) +
                                 ", bands of " + std::to_string(rows) + ", " +
                                 std::to_string(clients) + " at once";
      if (!IsWanted(figure)) continue;
      const Timing timing = BenchPages(device, subject, kPages, rows, clients);
      char ratio[64];
      std::snprintf(ratio, sizeof(ratio), ", \"of_copy_alone\": %.3f",
                    limit.median_ms / timing.median_ms);
      Report(figure, timing, kPages * kA4Pixels, ratio);
    }
  }
}

// What a core of the host does beside it.
void BenchProcessor(const Subject& subject) {
  constexpr int32_t kRows = 1024;
  Pool pool(1);
  const EngineList local = LocalEngines(pool);
  const Engine* engine = Must(ChooseEngine(local, "auto", subject.recipe));
  const std::string figure = "A4" + std::string(subject.name) + ", a band of " +
                             std::to_string(kRows) + ", " +
                             std::string(engine->name()) + ", one thread";
  if (!IsWanted(figure)) return;
  const auto run = [&](bool fill) {
    const auto session = Must(
        engine->Open({*Page::Make(kA4Width, 8), subject.recipe, {}, kRows}));
    subject.run(*session, kRows, fill);
  };
  const Timing timing =
      Measure(3, [&] { return Milliseconds([&] { run(true); }); });
  Report(figure, timing, double{kA4Width} * kRows);
}

}  // namespace

void BenchSessions() {
  const auto device = Must(OpenCudaDevice(0));
  Report(
      "one A4 page, copy to the GPU alone",
      CopyAlone(static_cast<size_t>(kA4Pixels), static_cast<size_t>(kA4Pixels)),
      kA4Pixels);
  const Timing limit = BenchLimit();
  const Subject subjects[] = {
      {Recipe::FloydSteinberg(), "", RunNoise},
      {DefaultPrint(), ", fine, pure, curve", RunNoise},
      {BestPrint(), ", best, pure, curve, a ramp", RunRamp},
      {BestPrint(), ", best, pure, curve", RunNoise},
      {BestPrint(kFullFeedback), ", best, print feedback, pure, curve, a ramp",
       RunRamp},
      {BestPrint(kFullFeedback), ", best, print feedback, pure, curve",
       RunNoise}};
  for (const Subject& subject : subjects) {
    BenchOnePage(*device, subject);
    BenchManyPages(*device, subject, limit);
    BenchProcessor(subject);
  }
}

}  // namespace halftoned::bench
