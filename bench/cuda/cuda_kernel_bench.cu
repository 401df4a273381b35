// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels alone, from device memory to device memory, timed by events.

#include <cuda_runtime_api.h>

#include <vector>

#include "bench/cuda/cuda_bench.h"
#include "bench/cuda/event.h"
#include "halftone/gpu/host/runtime/launch.cuh"
#include "halftone/gpu/host/session/handed_rows.h"
#include "halftone/page/print_feedback.h"
#include "tests/halftone/gpu/laid_page.cuh"

namespace halftoned::bench {
namespace {

using testing::Arena;
using testing::Check;
using testing::GrayPage;

struct Subject {
  const char* name;
  Algorithm algorithm = Algorithm::kFloydSteinberg;
  int32_t width = kA4Width, rows = kA4Rows;
  int pages = 1;
  bool is_default = false;  // pure, with a curve
  int levels = 2;
  int depth = 8;
  int feedback = 0;
};

constexpr Subject kSubjects[] = {
    {.name = "kernel, 16384 x 16384", .width = 16384, .rows = 16384},
    {.name = "kernel, A4"},
    {.name = "kernel, 32 x A4", .pages = 32},
    {.name = "kernel, A4, 16 bits", .depth = 16},
    {.name = "kernel, A4, 4 levels", .levels = 4},
    {"kernel, A4, fine", Algorithm::kFine},
    {.name = "kernel, A4, fine, pure, curve",
     .algorithm = Algorithm::kFine,
     .is_default = true},
    {.name = "kernel, 32 x A4, fine, pure, curve",
     .algorithm = Algorithm::kFine,
     .pages = 32,
     .is_default = true},
    {.name = "kernel, A4, fine, print feedback, pure, curve",
     .algorithm = Algorithm::kFine,
     .is_default = true,
     .feedback = kFullFeedback},
    {.name = "kernel, A4, clustered, pure, curve",
     .algorithm = Algorithm::kClustered,
     .is_default = true},
    {"kernel, A4, bi-level", Algorithm::kBiLevel},
    {"kernel, A4, screen", Algorithm::kScreen},
};

Recipe RecipeOf(const Subject& subject) {
  Recipe::Parts parts = Recipe::PartsOf(subject.algorithm);
  parts.levels = subject.levels;
  parts.parameters[Recipe::kPure] = subject.is_default ? 1 : 0;
  parts.parameters[Recipe::kFeedback] = subject.feedback;
  if (subject.algorithm == Algorithm::kClustered) {
    parts.parameters[Recipe::kClusterSize] = 4;
  }
  if (subject.algorithm == Algorithm::kScreen) {
    parts.parameters = {subject.is_default ? 1 : 0, 48, 48, 48, 48, 12};
  }
  if (subject.is_default) parts.curve = *ToneCurve::FromGamma(1.8);
  return *Recipe::Make(parts);
}

void BenchOne(Arena& arena, uint32_t* called_off, const Subject& subject) {
  arena.Rewind();
  const Recipe recipe = RecipeOf(subject);
  const GrayPage gray =
      MakePage(subject.width, subject.rows, subject.depth, Content::kNoise);
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
  const Timing timing = Measure(21, [&] {
    for (const auto& page : laid) testing::Refresh(page, nullptr);
    Check(cudaMemsetAsync(batch.ticket, cuda::kFreshByte, sizeof(uint32_t)),
          "ticket");
    return GpuMilliseconds(
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
