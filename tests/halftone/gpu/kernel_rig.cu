// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <algorithm>

#include "halftone/gpu/host/runtime/launch.cuh"
#include "halftone/gpu/host/session/handed_rows.h"
#include "tests/halftone/gpu/kernel_rig.h"
#include "tests/halftone/gpu/laid_page.cuh"

namespace halftoned::testing {

class KernelRig::Bench {
 public:
  Bench() : arena_(size_t{2} << 30) {
    called_off_ = arena_word_.Take<uint32_t>(1);
    Check(cudaMemset(called_off_, 0, sizeof(uint32_t)), "word");
    for (cudaStream_t& stream : streams_) {
      Check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking),
            "stream");
    }
  }
  ~Bench() {
    for (cudaStream_t stream : streams_) cudaStreamDestroy(stream);
  }

  LaidPage Lay(const KernelRun& run) {
    return LayOut(
        arena_, run.gray, run.recipe, run.above,
        run.bands.empty() ? std::vector<int32_t>{run.gray.rows} : run.bands,
        called_off());
  }

  void Launch(const cuda::BandJob* jobs, size_t count, const KernelRun& run,
              size_t stream) {
    cuda::Batch batch{};
    batch.jobs_count = static_cast<int32_t>(count);
    for (size_t i = 0; i < count; ++i) {
      batch.jobs[i] = jobs[i];
      const cuda::HandedRows handed(run.recipe, jobs[i].width);
      batch.strips = std::max(batch.strips, handed.strips(jobs[i].rows));
    }
    batch.ticket = arena_.Take<uint32_t>(1);
    Check(cudaMemsetAsync(batch.ticket, cuda::kFreshByte, sizeof(uint32_t),
                          streams_[stream]),
          "ticket");
    Check(cuda::Launch(batch, run.recipe, streams_[stream]), "launch");
  }

  void SetCalledOff(int value) {
    Check(cudaMemsetAsync(called_off_, value, sizeof(uint32_t), streams_[1]),
          "call off");
  }

  Arena& arena() { return arena_; }
  const uint32_t* called_off() const { return called_off_; }
  static constexpr size_t kStreams = 8;

 private:
  Arena arena_;
  Arena arena_word_{sizeof(uint32_t)};
  uint32_t* called_off_;
  cudaStream_t streams_[kStreams];
};

KernelRig::KernelRig() : bench_(std::make_unique<Bench>()) {}
KernelRig::~KernelRig() = default;

BitPage KernelRig::Do(const KernelRun& run) {
  bench_->arena().Rewind();
  const LaidPage laid = bench_->Lay(run);
  Check(cudaDeviceSynchronize(), "lay out");
  const size_t count = laid.jobs.size();
  for (size_t i = 0; i < count; ++i) {
    const size_t band = run.backwards ? count - 1 - i : i;
    bench_->Launch(&laid.jobs[band], 1, run,
                   run.overlap ? band % Bench::kStreams : 0);
  }
  return Collect(laid, run.gray, run.recipe);
}

std::vector<BitPage> KernelRig::DoBatch(const std::vector<KernelRun>& runs) {
  bench_->arena().Rewind();
  std::vector<LaidPage> laid;
  std::vector<cuda::BandJob> jobs;
  for (const KernelRun& run : runs) {
    laid.push_back(bench_->Lay(run));
    jobs.push_back(laid.back().jobs.front());
  }
  Check(cudaDeviceSynchronize(), "lay out");
  bench_->Launch(jobs.data(), jobs.size(), runs.front(), 0);
  std::vector<BitPage> out;
  for (size_t i = 0; i < runs.size(); ++i) {
    out.push_back(Collect(laid[i], runs[i].gray, runs[i].recipe));
  }
  return out;
}

bool KernelRig::GivesUp(const GrayPage& gray, const Recipe& recipe,
                        bool call_off) {
  bench_->arena().Rewind();
  const KernelRun run{.gray = gray, .recipe = recipe};
  LaidPage laid = bench_->Lay(run);
  cuda::BandJob& job = laid.jobs.front();
  const size_t bytes = cuda::HandedRows(recipe, gray.page.width()).bytes();
  auto* never = bench_->arena().Take<std::byte>(bytes);
  Check(cudaMemset(never, cuda::kFreshByte, bytes), "never");
  job.states_in = reinterpret_cast<const uint16_t*>(never);
  job.patience_ns = call_off ? 60'000'000'000 : 2'000'000;
  Check(cudaDeviceSynchronize(), "lay out");
  bench_->Launch(&job, 1, run, 0);
  if (call_off) bench_->SetCalledOff(1);
  Check(cudaDeviceSynchronize(), "kernel");
  if (call_off) bench_->SetCalledOff(0);
  uint32_t verdict = 0;
  Check(cudaMemcpy(&verdict, job.verdict, sizeof(verdict),
                   cudaMemcpyDeviceToHost),
        "verdict");
  return verdict == cuda::kVerdictGaveUp;
}

}  // namespace halftoned::testing
