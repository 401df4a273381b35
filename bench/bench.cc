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
// through a session's bands on a pool, including the copy into them.

#include <benchmark/benchmark.h>

#include <cstring>
#include <functional>
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

namespace halftoned::bench {
namespace {

struct Size {
  const char* name;
  int32_t width;
  int32_t rows;
};
constexpr Size kA4 = {"A4-600dpi", 4960, 7016};
constexpr Size kHuge = {"16384x16384", 16384, 16384};

// A dot gain curve, as a printer would have one.
ToneCurve RealCurve() { return *ToneCurve::FromGamma(1.35); }

struct Task {
  Size size = kA4;
  int depth = 8;
  Content content = Content::kNoise;
  bool curved = false;
  int levels = 2;
  int threads = 1;
  Algorithm algorithm = Algorithm::kFloydSteinberg;
  bool pure = false;
  double min_run = 1;

  Recipe recipe() const {
    Recipe::Parts parts = Must(
        PartsOf({.algorithm = algorithm, .min_run = min_run}, levels, pure));
    if (curved) parts.curve = RealCurve();
    return *Recipe::Make(parts);
  }
  std::string Name() const {
    return std::string(size.name) + "/" + std::to_string(depth) + "bit/" +
           std::string(NameOf(content)) + (curved ? "/curve" : "/identity") +
           "/L" + std::to_string(levels) + "/" + std::string(recipe().name()) +
           (pure ? "/pure" : "") + (min_run > 1 ? "/runs" : "");
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

void Report(benchmark::State& state, const Task& task) {
  const double runs = static_cast<double>(state.iterations());
  state.counters["Mpx/s"] = benchmark::Counter(runs * task.pixels() / 1e6,
                                               benchmark::Counter::kIsRate);
}

void RunStrips(benchmark::State& state, const Task& task, Strips& strips) {
  const auto& gray = SamplesOf(task);
  const Page page = task.page();
  const Recipe recipe = task.recipe();
  const size_t pitch = recipe.bit_bytes_per_row(page.width());
  std::vector<std::byte> bits(pitch * static_cast<size_t>(task.size.rows));
  const Carry start = Carry::AtStart(recipe, page);
  Carry below = start;
  for (auto _ : state) {
    strips.Restart(start);
    strips.Run(
        {.gray = {gray.data(), page.gray_bytes_per_row(), task.size.rows},
         .bits = {bits.data(), pitch, task.size.rows},
         .below = &below});
    benchmark::ClobberMemory();
  }
  Report(state, task);
}

void RunSession(benchmark::State& state, const Task& task,
                const std::string& engine_name) {
  const auto& gray = SamplesOf(task);
  Pool pool(task.threads);
  const EngineList engines = LocalEngines(pool);
  const Recipe recipe = task.recipe();
  const Engine* engine = *ChooseEngine(engines, engine_name, recipe);
  for (auto _ : state) {
    const auto session = Must(engine->Open({task.page(), recipe, {}, 0}));
    RunGray(*session, task.size.rows, gray.data());
  }
  Report(state, task);
}

void Register(const std::string& name,
              const std::function<void(benchmark::State&)>& run) {
  benchmark::RegisterBenchmark(name.c_str(), run);
}

void RegisterKernels(const Task& task) {
  for (const simd::Target& target : simd::Targets()) {
    if (!target.runs_here()) continue;
    Register("kernel/" + std::string(target.name) + "/" + task.Name(),
             [task, &target](benchmark::State& state) {
               RunStrips(state, task,
                         *simd::OpenStrips(task.page(), task.recipe(), target));
             });
  }
}

void RegisterCached(const Task& task) {
  Register("kernel/cached/" + task.Name(), [task](benchmark::State& state) {
    RunStrips(state, task,
              *StripsOfBands(task.page(), task.recipe(), HalftoneCached));
  });
}

void RegisterPeers(const Task& task) {
  Register("memcpy/" + task.Name(), [task](benchmark::State& state) {
    const auto& gray = SamplesOf(task);
    std::vector<std::byte> copy(gray.size());
    for (auto _ : state) {
      std::memcpy(copy.data(), gray.data(), gray.size());
      benchmark::ClobberMemory();
    }
    Report(state, task);
  });
  Register("zimg/" + task.Name(), [task](benchmark::State& state) {
    const auto zimg = Zimg::Make(task.size.width, task.size.rows);
    if (!zimg) return state.SkipWithError("zimg is missing");
    zimg->Copy(SamplesOf(task).data());
    zimg->Run();
    for (auto _ : state) zimg->Run();
    Report(state, task);
  });
}

void RegisterSessions(Task task) {
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
  Register("recipe/" + task.Name(), [task](benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(task.recipe());
  });
}

void RegisterAll() {
  RegisterPeers({});
  for (const Algorithm algorithm :
       {Algorithm::kJarvis, Algorithm::kAtkinson, Algorithm::kBlueNoise}) {
    RegisterKernels({.algorithm = algorithm});
  }
  RegisterKernels({.algorithm = Algorithm::kJarvis, .min_run = 3});
  RegisterSessions({});
  RegisterKernels({.size = kHuge});
  RegisterRecipe({.algorithm = Algorithm::kScreen});
  for (const Content content :
       {Content::kNoise, Content::kPhoto, Content::kText}) {
    RegisterCached({.content = content});
    RegisterKernels({.content = content});
    RegisterKernels({.content = content,
                     .curved = true,
                     .algorithm = Algorithm::kFine,
                     .pure = true});
    RegisterSessions({.content = content, .algorithm = Algorithm::kBest});
  }
  for (const int depth : {8, 16}) {
    for (const int levels : {2, 4, 16}) {
      for (const Algorithm algorithm :
           {Algorithm::kFloydSteinberg, Algorithm::kFine, Algorithm::kScreen,
            Algorithm::kBlueNoise, Algorithm::kJarvis, Algorithm::kAtkinson}) {
        RegisterKernels({.depth = depth,
                         .content = Content::kPhoto,
                         .curved = true,
                         .levels = levels,
                         .algorithm = algorithm});
      }
    }
    RegisterKernels({.depth = depth,
                     .content = Content::kPhoto,
                     .curved = true,
                     .algorithm = Algorithm::kBiLevel});
  }
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
