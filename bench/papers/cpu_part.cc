// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The methods for the CPU, and our engines for it.

#include <cstring>
#include <set>
#include <thread>

#include "bench/baseline/cached.h"
#include "bench/papers/methods/blocks.h"
#include "bench/papers/methods/sequential.h"
#include "bench/papers/papers_bench.h"
#include "bench/through_session.h"
#include "halftone/cpu/local_engines.h"

namespace halftoned::bench {
namespace {

using papers::Picture;
using papers::Plane;
using testing::GrayPage;

int Processors() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

Picture PictureOf(const GrayPage& gray, std::vector<uint8_t>& pixels) {
  return {reinterpret_cast<const uint8_t*>(gray.samples.data()), pixels.data(),
          gray.page.width(), gray.rows};
}

void BenchSequential(const Size& size, const GrayPage& gray) {
  std::vector<uint8_t> pixels(gray.samples.size());
  for (papers::Sequential method : papers::kSequential) {
    Plane plane(size.width, size.rows);
    Report({"sequential", papers::NameOf(method), size},
           Measure(
               RunsFor(size),
               [&] {
                 return Milliseconds([&] {
                   papers::RunSequential(method, PictureOf(gray, pixels),
                                         plane);
                 });
               },
               1));
  }
}

void BenchBlocks(const char* group, const Size& size, const GrayPage& gray,
                 int levels, int threads) {
  std::vector<uint8_t> pixels(gray.samples.size());
  Plane plane(size.width, size.rows);
  Report({group, std::to_string(levels) + " levels", size, threads},
         Measure(
             RunsFor(size),
             [&] {
               return Milliseconds([&] {
                 papers::RunBlocks(PictureOf(gray, pixels), plane, levels,
                                   threads);
               });
             },
             1));
}

// In memory, as one band.
void BenchCached(const Size& size, const GrayPage& gray) {
  const Recipe recipe = Recipe::FloydSteinberg();
  const size_t pitch = recipe.bit_bytes_per_row(size.width);
  std::vector<std::byte> bits(pitch * static_cast<size_t>(size.rows));
  Report({"ours, CPU", "cached, the frozen baseline", size},
         Measure(RunsFor(size), [&] {
           Carry carry = Carry::AtStart(recipe, gray.page);
           return Milliseconds([&] {
             HalftoneCached(
                 {gray.page,
                  recipe,
                  {gray.samples.data(), gray.bytes_per_row(), gray.rows},
                  {bits.data(), pitch, gray.rows},
                  carry});
           });
         }));
}

// Through sessions, including the copy into their bands.
void BenchEngine(const Size& size, const GrayPage& gray, int threads) {
  Pool pool(threads);
  const EngineList engines = LocalEngines(pool);
  const Recipe recipe = Recipe::FloydSteinberg();
  const Engine* engine = *ChooseEngine(engines, "auto", recipe);
  const size_t pitch = gray.bytes_per_row();
  const Timing timing = Measure(2 * RunsFor(size) + 1, [&] {
    return Milliseconds([&] {
      const auto session = Must(engine->Open({gray.page, recipe, {}, 0}));
      RunThrough(*session, size.rows,
                 [&](const GrayRoom& room, int32_t row, int32_t rows) {
                   std::memcpy(
                       room.bytes,
                       gray.samples.data() + static_cast<size_t>(row) * pitch,
                       static_cast<size_t>(rows) * pitch);
                 });
    });
  });
  Report(
      {"ours, CPU", std::string(engine->name()) + ", session", size, threads},
      timing);
}

}  // namespace

void CountAccesses() {
  const Size size{1024, 1024};
  const GrayPage gray = NoiseOf(size);
  std::vector<uint8_t> pixels(gray.samples.size());
  for (papers::Sequential method : papers::kSequential) {
    Plane plane(size.width, size.rows);
    ReportCounts({"memory accesses", papers::NameOf(method), size},
                 papers::Count(method, PictureOf(gray, pixels), plane));
  }
}

void BenchCpu(const std::vector<int>& squares) {
  const int processors = Processors();
  for (int side : squares) {
    const Size size{side * 1024, side * 1024};
    const GrayPage gray = NoiseOf(size);
    BenchSequential(size, gray);
    BenchBlocks("blocks on threads", size, gray, 2, processors);
    BenchCached(size, gray);
    for (int threads : std::set{1, processors}) {
      BenchEngine(size, gray, threads);
    }
  }
}

void SweepCpu() {
  const int processors = Processors();
  for (const Size& size : kSharedSizes) {
    if (size.width > 8192) continue;
    const GrayPage gray = NoiseOf(size);
    constexpr const char* kGroup = "blocks on threads, swept";
    for (int threads : std::set{1, 2, processors, 2 * processors}) {
      BenchBlocks(kGroup, size, gray, 2, threads);
    }
    for (int levels : {4, 8}) {
      BenchBlocks(kGroup, size, gray, levels, processors);
    }
  }
}

}  // namespace halftoned::bench
