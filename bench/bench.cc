// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pixels a second of every engine, beside the frozen scalar kernel, zimg and
// memcpy. Trust only ratios and medians of one run:
//
//   halftoned_bench --benchmark_repetitions=9
//       --benchmark_enable_random_interleaving=true
//       --benchmark_report_aggregates_only=true
//
// Names are kind/engine/size/depth/content/curve/levels/recipe/threads.
// `kernel`: the page in memory, as one band on the calling thread. `session`:
// through a session's bands on a pool, including the copy into them. `pool`: a
// page that is already in a session's room, as one band, from its submission to
// its answer.

#include <benchmark/benchmark.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "bench/baseline/cached.h"
#include "bench/bench_page.h"
#include "bench/peers/zimg.h"
#include "bench/through_session.h"
#include "halftone/cpu/local_engines.h"
#include "halftone/cpu/simd/core.h"
#include "halftone/cpu/simd/simd_strips.h"
#include "halftone/cpu/strips.h"
#include "halftone/look/halftone_type.h"

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace halftoned::bench {
namespace {

struct Size {
  const char* name;
  int32_t width;
  int32_t rows;
};
constexpr Size kA4 = {"A4-600dpi", 4960, 7016};
constexpr Size kHuge = {"16384x16384", 16384, 16384};
constexpr Size kSmall = {"256x256", 256, 256};

uint64_t TimestampNow() {
#if defined(__x86_64__)
  return __rdtsc();
#else
  return 0;
#endif
}

// A dot gain curve, as a printer would have one.
ToneCurve RealCurve() { return *ToneCurve::FromGamma(1.35); }

struct Task {
  Size size;
  int depth = 8;
  Content content = Content::kNoise;
  bool curved = false;
  int levels = 2;
  int threads = 1;
  Algorithm algorithm = Algorithm::kFloydSteinberg;
  bool pure = false;

  Recipe recipe() const {
    Recipe::Parts parts = Must(PartsOf({.algorithm = algorithm}, levels, pure));
    if (curved) parts.curve = RealCurve();
    return *Recipe::Make(parts);
  }
  std::string Name() const {
    return std::string(size.name) + "/" + std::to_string(depth) + "bit/" +
           std::string(NameOf(content)) + (curved ? "/curve" : "/identity") +
           "/L" + std::to_string(levels) + "/" + std::string(recipe().name()) +
           (pure ? "/pure" : "");
  }
  Page page() const { return *Page::Make(size.width, depth); }
  double pixels() const { return static_cast<double>(size.width) * size.rows; }
};

// Keeps the last page: benchmarks of the same page run in sequence.
const std::vector<std::byte>& SamplesOf(const Task& task) {
  static std::string made;
  static std::vector<std::byte> samples;
  const std::string name = std::string(task.size.name) +
                           std::to_string(task.depth) +
                           std::string(NameOf(task.content));
  if (made != name) {
    samples = {};
    samples = MakeSamples(task.page(), task.size.rows, task.content);
    made = name;
  }
  return samples;
}

// rows_per_step: rows that a wavefront processes per step; 0: no wavefront.
void Report(benchmark::State& state, const Task& task, uint64_t ticks,
            int rows_per_step) {
  const double runs = static_cast<double>(state.iterations());
  state.counters["Mpx/s"] = benchmark::Counter(runs * task.pixels() / 1e6,
                                               benchmark::Counter::kIsRate);
  if (ticks != 0 && rows_per_step != 0) {
    const double steps = runs * task.pixels() / rows_per_step;
    state.counters["ticks/step"] = static_cast<double>(ticks) / steps;
  }
}

void RunStrips(benchmark::State& state, const Task& task, Strips& strips,
               int rows_per_step) {
  const auto& gray = SamplesOf(task);
  const Page page = task.page();
  const Recipe recipe = task.recipe();
  const size_t pitch = recipe.bit_bytes_per_row(page.width());
  std::vector<std::byte> bits(pitch * static_cast<size_t>(task.size.rows));
  const Carry start = Carry::AtStart(recipe, page);
  Carry below = start;
  uint64_t ticks = 0;
  for (auto _ : state) {
    const uint64_t begin = TimestampNow();
    strips.Restart(start);
    strips.Run(
        {.gray = {gray.data(), page.gray_bytes_per_row(), task.size.rows},
         .bits = {bits.data(), pitch, task.size.rows},
         .below = &below});
    ticks += TimestampNow() - begin;
    benchmark::ClobberMemory();
  }
  Report(state, task, ticks, rows_per_step);
}

void RunSession(benchmark::State& state, const Task& task,
                const std::string& engine_name) {
  const auto& gray = SamplesOf(task);
  Pool pool(task.threads);
  const EngineList engines = LocalEngines(pool);
  const Recipe recipe = task.recipe();
  const Engine* engine = *ChooseEngine(engines, engine_name, recipe);
  const Page page = task.page();
  const size_t pitch = page.gray_bytes_per_row();
  for (auto _ : state) {
    const auto session = Must(engine->Open({page, recipe, {}, 0}));
    RunThrough(*session, task.size.rows,
               [&](const GrayRoom& room, int32_t row, int32_t rows) {
                 std::memcpy(room.bytes,
                             gray.data() + static_cast<size_t>(row) * pitch,
                             static_cast<size_t>(rows) * pitch);
               });
  }
  Report(state, task, 0, 0);
}

void RunPool(benchmark::State& state, const Task& task,
             const std::string& engine_name) {
  const auto& gray = SamplesOf(task);
  Pool pool(task.threads);
  const EngineList engines = LocalEngines(pool);
  const Recipe recipe = task.recipe();
  const Engine* engine = *ChooseEngine(engines, engine_name, recipe);
  const auto opened = engine->Open({task.page(), recipe, {}, task.size.rows});
  Session& session = **opened;
  const auto halftone_band = [&](bool fill) {
    const GrayRoom room = *session.Lend();
    if (fill) std::memcpy(room.bytes, gray.data(), gray.size());
    benchmark::DoNotOptimize(session.Submit(task.size.rows, false));
    benchmark::DoNotOptimize(session.Take());
  };
  // Fills all rooms of a session, which keep their pixels.
  for (int i = 0; i < 8; ++i) halftone_band(true);
  for (auto _ : state) halftone_band(false);
  Report(state, task, 0, 0);
}

void RegisterKernels(const Task& task) {
  for (const simd::Target& target : simd::Targets()) {
    if (!target.runs_here()) continue;
    benchmark::RegisterBenchmark(
        ("kernel/" + std::string(target.name) + "/" + task.Name()).c_str(),
        [task, &target](benchmark::State& state) {
          const auto strips =
              simd::OpenStrips(task.page(), task.recipe(), target);
          RunStrips(state, task, *strips, strips->rows_per_strip());
        });
  }
}

void RegisterScalar(const Task& task) {
  benchmark::RegisterBenchmark(("kernel/cached/" + task.Name()).c_str(),
                               [task](benchmark::State& state) {
                                 const auto strips =
                                     StripsOfBands(task.page(), task.recipe(),
                                                   HalftoneCached);
                                 RunStrips(state, task, *strips, 0);
                               });
}

void RegisterPeers(const Task& task) {
  benchmark::RegisterBenchmark(
      ("memcpy/" + task.Name()).c_str(), [task](benchmark::State& state) {
        const auto& gray = SamplesOf(task);
        std::vector<std::byte> copy(gray.size());
        for (auto _ : state) {
          std::memcpy(copy.data(), gray.data(), gray.size());
          benchmark::ClobberMemory();
        }
        Report(state, task, 0, 0);
      });
  benchmark::RegisterBenchmark(
      ("zimg/" + task.Name()).c_str(), [task](benchmark::State& state) {
        const auto zimg = Zimg::Make(task.size.width, task.size.rows);
        if (!zimg) return state.SkipWithError("zimg is missing");
        zimg->Copy(SamplesOf(task).data());
        zimg->Run();
        for (auto _ : state) zimg->Run();
        Report(state, task, 0, 0);
      });
}

void RegisterSessions(Task task) {
  for (task.threads = 1; task.threads <= 2; ++task.threads) {
    benchmark::RegisterBenchmark(
        ("session/auto/" + task.Name() + "/threads" +
         std::to_string(task.threads))
            .c_str(),
        [task](benchmark::State& state) { RunSession(state, task, "auto"); })
        ->UseRealTime();
    benchmark::RegisterBenchmark(
        ("pool/auto/" + task.Name() + "/threads" + std::to_string(task.threads))
            .c_str(),
        [task](benchmark::State& state) { RunPool(state, task, "auto"); })
        ->UseRealTime();
  }
}

// Of methods that take more than a kernel.
void RegisterEngines(Task task) {
  for (const simd::Target& target : simd::Targets()) {
    if (!target.runs_here()) continue;
    for (const int threads : {1, 2, 4, 8, 16}) {
      task.threads = threads;
      benchmark::RegisterBenchmark(
          ("session/" + std::string(target.name) + "/" + task.Name() +
           "/threads" + std::to_string(task.threads))
              .c_str(),
          [task, &target](benchmark::State& state) {
            RunSession(state, task, std::string(target.name));
          })
          ->MeasureProcessCPUTime()
          ->UseRealTime();
    }
  }
}

// What resolving one takes, with the cells of its screen.
void RegisterRecipe(const Task& task) {
  benchmark::RegisterBenchmark(("recipe/" + task.Name()).c_str(),
                               [task](benchmark::State& state) {
                                 for (auto _ : state) {
                                   benchmark::DoNotOptimize(task.recipe());
                                 }
                               });
}

void RegisterAll() {
  RegisterPeers({.size = kA4});
  RegisterScalar({.size = kA4});
  RegisterKernels({.size = kA4});
  RegisterKernels({.size = kA4, .curved = true});
  RegisterKernels({.size = kA4, .levels = 4});
  RegisterSessions({.size = kA4});
  for (const Content content :
       {Content::kPhoto, Content::kRamp, Content::kText}) {
    RegisterScalar({.size = kA4, .content = content});
    RegisterKernels({.size = kA4, .content = content});
  }
  RegisterKernels({.size = kA4, .depth = 16});
  RegisterKernels({.size = kA4, .depth = 16, .curved = true});
  for (const Content content :
       {Content::kNoise, Content::kPhoto, Content::kText}) {
    RegisterKernels(
        {.size = kA4, .content = content, .algorithm = Algorithm::kFine});
  }
  RegisterKernels({.size = kA4, .curved = true, .algorithm = Algorithm::kFine});
  RegisterKernels({.size = kA4, .algorithm = Algorithm::kFine, .pure = true});
  for (const Content content : {Content::kNoise, Content::kText}) {
    RegisterKernels({.size = kA4,
                     .content = content,
                     .curved = true,
                     .algorithm = Algorithm::kFine,
                     .pure = true});
  }
  for (const int levels : {4, 16}) {
    for (const int depth : {8, 16}) {
      RegisterKernels({.size = kA4,
                       .depth = depth,
                       .curved = true,
                       .levels = levels,
                       .algorithm = Algorithm::kFine});
    }
  }
  for (const Content content :
       {Content::kNoise, Content::kPhoto, Content::kText}) {
    for (const bool pure : {false, true}) {
      RegisterEngines({.size = kA4,
                       .content = content,
                       .algorithm = Algorithm::kBest,
                       .pure = pure});
    }
  }
  for (const Algorithm algorithm : {Algorithm::kBiLevel, Algorithm::kScreen}) {
    for (const int depth : {8, 16}) {
      RegisterKernels({.size = kA4,
                       .depth = depth,
                       .content = Content::kPhoto,
                       .curved = true,
                       .algorithm = algorithm});
    }
  }
  for (const int levels : {4, 16}) {
    RegisterKernels({.size = kA4,
                     .content = Content::kPhoto,
                     .curved = true,
                     .levels = levels,
                     .algorithm = Algorithm::kScreen});
  }
  RegisterRecipe({.size = kA4, .algorithm = Algorithm::kScreen});
  RegisterKernels({.size = kSmall});
  RegisterKernels({.size = kHuge});
}

}  // namespace
}  // namespace halftoned::bench

int main(int argc, char** argv) {
  halftoned::bench::RegisterAll();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
