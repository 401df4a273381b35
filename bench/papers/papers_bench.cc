// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every method of the papers, and our engines, on squares of 1K … 16K pixels a
// side: gray in, a byte per pixel out for the papers' methods, as in the
// papers, and bits for ours. Writes JSON to standard output: the machine, the
// date and the figures, each the median of its runs. report.py makes tables and
// a plot from it.
//
//   papers_bench [SIDE ...]
//
// SIDE is in units of 1024. Without one, all of them, and shares of the work
// between CPU and GPU, at sizes of their own.

#include "bench/papers/papers_bench.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <set>
#include <thread>

#include "bench/baseline/cached.h"
#include "bench/bench_page.h"
#include "bench/papers/methods/blocks.h"
#include "bench/papers/methods/sequential.h"
#include "bench/through_session.h"
#include "halftone/cpu/local_engines.h"

namespace halftoned::bench {

using papers::Picture;
using papers::Plane;
using testing::GrayPage;

void Report(const Subject& subject, Timing whole, const Timing* run) {
  static bool first = true;
  std::printf("%s\n    {\"group\": \"%s\", \"name\": \"%s\", ",
              first ? "" : ",", subject.group.c_str(), subject.name.c_str());
  first = false;
  std::printf("\"width\": %d, \"rows\": %d, \"threads\": %d, ",
              subject.size.width, subject.size.rows, subject.threads);
  if (subject.cpu_labels > 0 || subject.cpu_columns > 0) {
    std::printf("\"cpu_labels\": %d, \"cpu_columns\": %d, ", subject.cpu_labels,
                subject.cpu_columns);
  }
  if (run) std::printf("\"run_ms\": %.4f, ", run->median_ms);
  std::printf("\"best_ms\": %.4f, \"ms\": %.4f}", whole.best_ms,
              whole.median_ms);
  std::fflush(stdout);
  std::fprintf(stderr, "%6d x %-6d %s, %s: %.3f ms\n", subject.size.width,
               subject.size.rows, subject.group.c_str(), subject.name.c_str(),
               whole.median_ms);
}

testing::GrayPage NoiseOf(const Size& size) {
  const Page page = *Page::Make(size.width, 8);
  return {page, size.rows, MakeSamples(page, size.rows, Content::kNoise)};
}

#ifndef HALFTONED_PAPERS_ON_GPU
std::string GpuName() { return ""; }
void BenchGpu(const std::vector<int>&) {}
void SweepGpu() {}
#endif

namespace {

int Processors() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

Picture PictureOf(const GrayPage& gray, std::vector<uint8_t>& pixels) {
  return {reinterpret_cast<const uint8_t*>(gray.samples.data()), pixels.data(),
          gray.page.width(), gray.rows};
}

void BenchSequential(const Size& size, const GrayPage& gray) {
  std::vector<uint8_t> pixels(gray.samples.size());
  for (const papers::Sequential& method : papers::kSequential) {
    Plane plane(size.width, size.rows);
    Report({"sequential", method.name, size},
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

void BenchBlocks(const Size& size, const GrayPage& gray, int threads) {
  std::vector<uint8_t> pixels(gray.samples.size());
  Plane plane(size.width, size.rows);
  Report({"blocks on threads", "2 levels", size, threads},
         Measure(
             RunsFor(size),
             [&] {
               return Milliseconds([&] {
                 papers::RunBlocks(PictureOf(gray, pixels), plane, threads);
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
  const Timing timing = Measure(2 * RunsFor(size) + 1, [&] {
    return Milliseconds([&] {
      const auto session = Must(engine->Open({gray.page, recipe, {}, 0}));
      RunGray(*session, size.rows, gray.samples.data());
    });
  });
  Report(
      {"ours, CPU", std::string(engine->name()) + ", session", size, threads},
      timing);
}

void BenchCpu(const std::vector<int>& squares) {
  const int processors = Processors();
  for (int side : squares) {
    const Size size{side * 1024, side * 1024};
    const GrayPage gray = NoiseOf(size);
    BenchSequential(size, gray);
    BenchBlocks(size, gray, processors);
    BenchCached(size, gray);
    for (int threads : std::set{1, processors}) {
      BenchEngine(size, gray, threads);
    }
  }
}

std::string CpuName() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "a processor";
}

std::string Today() {
  char day[16];
  const std::time_t now = std::time(nullptr);
  std::strftime(day, sizeof(day), "%Y-%m-%d", std::gmtime(&now));
  return day;
}

int RunAll(const std::vector<std::string>& words) {
  std::vector<int> squares;
  std::string command = "papers_bench";
  for (const std::string& word : words) {
    command += " " + word;
    squares.push_back(std::atoi(word.c_str()));
    if (squares.back() > 0) continue;
    std::fprintf(stderr, "usage: papers_bench [SIDE ...]\n");
    return 1;
  }
  const bool is_whole = squares.empty();
  if (is_whole) squares.assign(std::begin(kSquares), std::end(kSquares));
  const std::string gpu_name = GpuName();
  std::printf(
      "{\n  \"cpu\": \"%s\",\n  \"processors\": %u,\n  \"gpu\": \"%s\",\n"
      "  \"date\": \"%s\",\n  \"command\": \"%s\",\n  \"figures\": [",
      CpuName().c_str(), std::thread::hardware_concurrency(), gpu_name.c_str(),
      Today().c_str(), command.c_str());
  BenchCpu(squares);
  if (!gpu_name.empty()) {
    BenchGpu(squares);
    if (is_whole) SweepGpu();
  }
  std::printf("\n  ]\n}\n");
  return 0;
}

}  // namespace
}  // namespace halftoned::bench

int main(int argc, char** argv) {
  return halftoned::bench::RunAll({argv + 1, argv + argc});
}
