// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The second pass of `best` alone, on a page in device memory whose first pass
// is done, timed by events: all that a session starts for a page that comes in
// one band, but for the copies.

#include <cuda_runtime_api.h>

#include <string>
#include <vector>

#include "bench/cuda/cuda_bench.h"
#include "bench/cuda/event.h"
#include "bench/through_session.h"
#include "halftone/gpu/host/runtime/launch.cuh"
#include "halftone/gpu/host/session/handed_rows.h"
#include "halftone/gpu/host/session/second_pass.h"
#include "halftone/gpu/swap/launch_swapping.cuh"
#include "halftone/page/print_feedback.h"
#include "tests/halftone/gpu/laid_page.cuh"

namespace halftoned::bench {
namespace {

using cuda::SecondPass;
using testing::Arena;
using testing::Check;
using testing::GrayPage;

void BenchOne(const std::string& name, const Recipe& recipe, Content content,
              uint32_t* called_off) {
  if (!IsWanted(name)) return;
  const GrayPage gray = MakePage(kA4Width, kA4Rows, 8, content);
  Arena arena(size_t{1} << 30);
  const Recipe fine = recipe.FirstPass();
  const testing::LaidPage laid =
      testing::LayOut(arena, gray, fine, {}, {kA4Rows}, called_off);
  cuda::Batch batch{};
  batch.jobs_count = 1;
  batch.jobs[0] = laid.jobs.front();
  batch.strips = cuda::HandedRows(fine, kA4Width).strips(kA4Rows);
  batch.ticket = arena.Take<uint32_t>(1);
  Check(cudaMemset(batch.ticket, cuda::kFreshByte, sizeof(uint32_t)), "ticket");
  Check(cuda::Launch(batch, fine, nullptr), "launch");
  Check(cudaDeviceSynchronize(), "first pass");

  const ValidOrder order =
      Must(ValidOrder::Of({gray.page, recipe, {}, kA4Rows}));
  auto* device = arena.Take<std::byte>(SecondPass::DeviceBytes(order));
  const Timing timing = Measure(21, [&] {
    SecondPass pass(order, device, nullptr);
    cuda::SwapJob job = pass.Next(kA4Rows, kA4Rows, true);
    job.gray = batch.jobs[0].gray;
    job.gray_pitch = batch.jobs[0].gray_pitch;
    job.bits = batch.jobs[0].bits;
    job.bit_pitch = batch.jobs[0].bits_pitch;
    job.tone = batch.jobs[0].tone;
    job.rows = kA4Rows;
    job.pure = true;
    return GpuMilliseconds(
        [&] { Check(cuda::LaunchSwapping(job, nullptr), "second pass"); });
  });
  Report(name, timing, double{1} * kA4Width * kA4Rows);
}

}  // namespace

void BenchSwaps() {
  Arena for_word(sizeof(uint32_t));
  auto* called_off = for_word.Take<uint32_t>(1);
  Check(cudaMemset(called_off, 0, sizeof(uint32_t)), "word");
  for (const int feedback : {0, kFullFeedback}) {
    const Recipe recipe = BestPrint(feedback);
    const std::string name =
        "second pass of best, A4" +
        std::string(feedback > 0 ? ", print feedback" : "") + ", pure, curve";
    BenchOne(name + ", a ramp", recipe, Content::kRamp, called_off);
    BenchOne(name, recipe, Content::kNoise, called_off);
  }
}

}  // namespace halftoned::bench
