// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels alone, from device memory to device memory, timed by events.

#include <cuda_runtime_api.h>

#include <vector>

#include "bench/cuda/cuda_bench.h"
#include "bench/cuda/stopwatch.h"
#include "halftone/gpu/host/runtime/launch.cuh"
#include "halftone/gpu/host/session/handed_rows.h"
#include "tests/halftone/gpu/laid_page.cuh"

namespace halftoned::bench {
namespace {

using testing::Arena;
using testing::Check;
using testing::GrayPage;

struct Subject {
  const char* name;
  int32_t width, rows;
  int pages;
  Algorithm algorithm;
  bool pure;
  int levels;
  int depth;
  bool curved;
};

constexpr Algorithm kCollected = Algorithm::kFloydSteinberg;

constexpr Subject kSubjects[] = {
    {"kernel, 16384 x 16384", 16384, 16384, 1, kCollected, false, 2, 8, false},
    {"kernel, A4", kA4Width, kA4Rows, 1, kCollected, false, 2, 8, false},
    {"kernel, 32 x A4", kA4Width, kA4Rows, 32, kCollected, false, 2, 8, false},
    {"kernel, A4, curve", kA4Width, kA4Rows, 1, kCollected, false, 2, 8, true},
    {"kernel, 32 x A4, curve", kA4Width, kA4Rows, 32, kCollected, false, 2, 8,
     true},
    {"kernel, A4, 16 bits", kA4Width, kA4Rows, 1, kCollected, false, 2, 16,
     false},
    {"kernel, A4, 16 bits, curve", kA4Width, kA4Rows, 1, kCollected, false, 2,
     16, true},
    {"kernel, A4, 4 levels", kA4Width, kA4Rows, 1, kCollected, false, 4, 8,
     false},
    {"kernel, A4, 16 levels", kA4Width, kA4Rows, 1, kCollected, false, 16, 8,
     false},
    {"kernel, 256 rows of A4", kA4Width, 256, 1, kCollected, false, 2, 8,
     false},
    {"kernel, A4, pure", kA4Width, kA4Rows, 1, kCollected, true, 2, 8, false},
    {"kernel, A4, fine", kA4Width, kA4Rows, 1, Algorithm::kFine, false, 2, 8,
     false},
    {"kernel, A4, fine, pure, curve", kA4Width, kA4Rows, 1, Algorithm::kFine,
     true, 2, 8, true},
    {"kernel, A4, fine, pure, curve, 16 bits", kA4Width, kA4Rows, 1,
     Algorithm::kFine, true, 2, 16, true},
    {"kernel, 16 x A4, fine, pure, curve", kA4Width, kA4Rows, 16,
     Algorithm::kFine, true, 2, 8, true},
    {"kernel, 32 x A4, fine, pure, curve", kA4Width, kA4Rows, 32,
     Algorithm::kFine, true, 2, 8, true},
    {"kernel, 256 rows of A4, fine, pure, curve", kA4Width, 256, 1,
     Algorithm::kFine, true, 2, 8, true},
    {"kernel, A4, clustered, pure, curve", kA4Width, kA4Rows, 1,
     Algorithm::kClustered, true, 2, 8, true},
    {"kernel, A4, printer-model, pure, curve", kA4Width, kA4Rows, 1,
     Algorithm::kPrinterModel, true, 2, 8, true},
    {"kernel, A4, bi-level", kA4Width, kA4Rows, 1, Algorithm::kBiLevel, false,
     2, 8, false},
    {"kernel, 32 x A4, bi-level", kA4Width, kA4Rows, 32, Algorithm::kBiLevel,
     false, 2, 8, false},
    {"kernel, A4, screen", kA4Width, kA4Rows, 1, Algorithm::kScreen, false, 2,
     8, false},
    {"kernel, 32 x A4, screen", kA4Width, kA4Rows, 32, Algorithm::kScreen,
     false, 2, 8, false},
};

Recipe RecipeOf(const Subject& subject) {
  Recipe::Parts parts = Recipe::PartsOf(subject.algorithm);
  parts.levels = subject.levels;
  parts.parameters[Recipe::kPure] = subject.pure ? 1 : 0;
  if (subject.algorithm == Algorithm::kClustered) {
    parts.parameters[Recipe::kClusterSize] = 4;
  }
  if (subject.algorithm == Algorithm::kPrinterModel) {
    parts.parameters[Recipe::kInk] = 5007;
    parts.parameters[Recipe::kOverlap] = 521;
  }
  if (subject.algorithm == Algorithm::kScreen) {
    parts.parameters = {subject.pure ? 1 : 0, 48, 48, 48, 48, 12};
  }
  if (subject.curved) parts.curve = *ToneCurve::FromGamma(1.8);
  return *Recipe::Make(parts);
}

void BenchOne(Arena& arena, uint32_t* called_off, const Subject& subject) {
  arena.Rewind();
  const Recipe recipe = RecipeOf(subject);
  const GrayPage gray = NoisePage(subject.width, subject.rows, subject.depth);
  std::vector<testing::LaidPage> laid;
  cuda::Batch batch{};
  batch.jobs_count = subject.pages;
  batch.strips = cuda::HandedRows(recipe, subject.width).strips(subject.rows);
  for (int i = 0; i < subject.pages; ++i) {
    laid.push_back(
        testing::LayOut(arena, gray, recipe, {}, {subject.rows}, called_off));
    batch.jobs[i] = laid.back().jobs.front();
  }
  batch.ticket = arena.Take<uint32_t>(1);
  Stopwatch stopwatch;
  const Timing timing = Measure(21, [&] {
    for (const auto& page : laid) testing::Refresh(page, nullptr);
    Check(cudaMemsetAsync(batch.ticket, cuda::kFreshByte, sizeof(uint32_t)),
          "ticket");
    return stopwatch.Time(
        [&] { Check(cuda::Launch(batch, recipe, nullptr), "launch"); });
  });
  Report(subject.name, timing,
         double{1} * subject.width * subject.rows * subject.pages);
}

}  // namespace

void BenchKernel() {
  Arena arena(size_t{4} << 30);
  Arena for_word(sizeof(uint32_t));
  auto* called_off = for_word.Take<uint32_t>(1);
  Check(cudaMemset(called_off, 0, sizeof(uint32_t)), "word");
  for (const Subject& subject : kSubjects) {
    if (IsWanted(subject.name)) BenchOne(arena, called_off, subject);
  }
}

}  // namespace halftoned::bench
