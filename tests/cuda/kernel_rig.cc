// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/cuda/kernel_rig.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>

#include "halftone/cuda/geometry.h"
#include "halftone/cuda/launch.h"
#include "halftone/cuda/terms.h"

namespace halftoned::test {

using cuda::BandJob;

void Check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(2);
}

struct KernelRig::Laid {
  std::vector<BandJob> jobs;
  std::byte* bits;
  size_t bits_pitch;
};

KernelRig::KernelRig() {
  Check(cudaMalloc(&arena_, kArena), "arena");
  Check(cudaMalloc(&turns_, 1024 * sizeof(uint32_t)), "turns");
  Check(cudaMemset(turns_, 0, 1024 * sizeof(uint32_t)), "turns");
  Check(cudaMalloc(&called_off_, sizeof(uint32_t)), "called off");
  Check(cudaMemset(called_off_, 0, sizeof(uint32_t)), "called off");
  for (cudaStream_t& stream : streams_) {
    Check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
  }
}

KernelRig::~KernelRig() {
  for (cudaStream_t stream : streams_) cudaStreamDestroy(stream);
  cudaFree(called_off_);
  cudaFree(turns_);
  cudaFree(arena_);
}

template <typename T>
T* KernelRig::Take(size_t count) {
  T* room = reinterpret_cast<T*>(arena_ + used_);
  used_ += (count * sizeof(T) + 255) / 256 * 256;
  if (used_ > kArena) Check(cudaErrorMemoryAllocation, "arena is too small");
  return room;
}

void KernelRig::Rewind() {
  Check(cudaMemset(arena_, 0xA5, std::max<size_t>(used_, 1)), "poison");
  used_ = 0;
}

KernelRig::Laid KernelRig::Lay(const Run& run) {
  const GrayPage& gray = run.gray;
  const int32_t width = gray.page.width();
  const std::vector<int32_t> bands =
      run.bands.empty() ? std::vector<int32_t>{gray.rows} : run.bands;

  auto* pixels = Take<std::byte>(gray.bytes.size());
  Check(cudaMemcpy(pixels, gray.bytes.data(), gray.bytes.size(),
                   cudaMemcpyHostToDevice),
        "gray");
  Laid laid;
  laid.bits_pitch = (run.recipe.bit_bytes_per_row(width) + 15) / 16 * 16;
  laid.bits = Take<std::byte>(laid.bits_pitch * static_cast<size_t>(gray.rows));

  int32_t* tone = nullptr;
  if (!run.recipe.curve().is_identity()) {
    const auto terms = cuda::TermsOf(run.recipe.curve(), gray.page.depth());
    tone = Take<int32_t>(terms.size());
    Check(cudaMemcpy(tone, terms.data(), terms.size() * sizeof(int32_t),
                     cudaMemcpyHostToDevice),
          "tone");
  }
  const size_t states = static_cast<size_t>(cuda::StatesPerRow(width));
  const uint16_t* states_in = nullptr;
  if (run.carry) {
    std::vector<uint16_t> row(states, cuda::kStateOutside);
    cuda::StatesOf(run.carry->plane(0), row.data());
    auto* there = Take<uint16_t>(states);
    Check(cudaMemcpy(there, row.data(), states * 2, cudaMemcpyHostToDevice),
          "carry");
    states_in = there;
  }
  int32_t first = 0;
  int32_t pad_in = 0;
  for (int32_t rows : bands) {
    BandJob job{};
    job.gray = pixels + gray.pitch * static_cast<size_t>(first);
    job.gray_pitch = static_cast<uint32_t>(gray.pitch);
    job.bits = laid.bits + laid.bits_pitch * static_cast<size_t>(first);
    job.bits_pitch = static_cast<uint32_t>(laid.bits_pitch);
    job.width = width;
    job.rows = rows;
    job.states_in = states_in;
    job.pad_in = pad_in;
    const size_t fresh = states * static_cast<size_t>(cuda::StripsOf(rows));
    job.states_between = Take<uint16_t>(fresh);
    Check(cudaMemset(job.states_between, cuda::kFreshByte, fresh * 2), "fresh");
    job.states_out = job.states_between + fresh - states;
    job.tone = tone;
    job.deep = gray.page.depth() == Depth::k16;
    job.verdict = Take<uint32_t>(1);
    Check(cudaMemset(job.verdict, cuda::kFreshByte, 4), "verdict");
    job.called_off = called_off_;
    job.patience_ns = 5'000'000'000;
    laid.jobs.push_back(job);
    states_in = job.states_out;
    pad_in = cuda::PadOf(cuda::LastRowInStrip(rows));
    first += rows;
  }
  return laid;
}

void KernelRig::Launch(const BandJob* jobs, int count, const Run& run,
                       cudaStream_t stream) {
  cuda::Batch batch{};
  batch.jobs_count = count;
  for (int i = 0; i < count; ++i) {
    batch.jobs[i] = jobs[i];
    batch.strips = std::max(batch.strips, cuda::StripsOf(jobs[i].rows));
  }
  batch.ticket = Take<uint32_t>(1);
  Check(cudaMemsetAsync(batch.ticket, cuda::kFreshByte, 4, stream), "ticket");
  batch.turns = turns_;
  batch.chaos = run.chaos;
  const int levels = run.recipe.levels().count;
  Check(run.chaos != 0 ? cuda::LaunchChaos(batch, levels, stream)
                       : cuda::Launch(batch, levels, stream),
        "launch");
}

Halftone KernelRig::Collect(const Run& run, const Laid& laid) {
  Check(cudaDeviceSynchronize(), "kernel");
  const Page& page = run.gray.page;
  const size_t tight = run.recipe.bit_bytes_per_row(page.width());
  const auto rows = static_cast<size_t>(run.gray.rows);
  Halftone out{std::vector<std::byte>(tight * rows),
               Carry::AtStart(run.recipe, page)};
  Check(cudaMemcpy2D(out.bits.data(), tight, laid.bits, laid.bits_pitch, tight,
                     rows, cudaMemcpyDeviceToHost),
        "bits");
  const BandJob& last = laid.jobs.back();
  std::vector<uint16_t> states(
      static_cast<size_t>(cuda::StatesPerRow(page.width())));
  Check(cudaMemcpy(states.data(), last.states_out, states.size() * 2,
                   cudaMemcpyDeviceToHost),
        "states");
  cuda::ErrorsOf(states.data() + cuda::PadOf(cuda::LastRowInStrip(last.rows)),
                 out.carry.plane(0));
  return out;
}

Halftone KernelRig::Do(const Run& run) {
  Rewind();
  const Laid laid = Lay(run);
  Check(cudaDeviceSynchronize(), "lay out");
  const int count = static_cast<int>(laid.jobs.size());
  for (int i = 0; i < count; ++i) {
    const int band = run.backwards ? count - 1 - i : i;
    Launch(&laid.jobs[static_cast<size_t>(band)], 1, run,
           streams_[run.overlap ? band % kStreams : 0]);
  }
  return Collect(run, laid);
}

std::vector<Halftone> KernelRig::DoBatch(const std::vector<Run>& runs) {
  Rewind();
  std::vector<Laid> laid;
  std::vector<BandJob> jobs;
  for (const Run& run : runs) {
    laid.push_back(Lay(run));
    jobs.push_back(laid.back().jobs.front());
  }
  Check(cudaDeviceSynchronize(), "lay out");
  Launch(jobs.data(), static_cast<int>(jobs.size()), runs.front(), streams_[0]);
  std::vector<Halftone> out;
  for (size_t i = 0; i < runs.size(); ++i) {
    out.push_back(Collect(runs[i], laid[i]));
  }
  return out;
}

bool KernelRig::GivesUp(const GrayPage& gray, const Recipe& recipe,
                        bool call_off) {
  Rewind();
  Laid laid = Lay({.gray = gray, .recipe = recipe});
  BandJob& job = laid.jobs.front();
  const auto states =
      static_cast<size_t>(cuda::StatesPerRow(gray.page.width()));
  auto* never = Take<uint16_t>(states);
  Check(cudaMemset(never, cuda::kFreshByte, states * 2), "never");
  job.states_in = never;
  job.patience_ns = call_off ? 60'000'000'000 : 2'000'000;
  Check(cudaDeviceSynchronize(), "lay out");
  Launch(&job, 1, {.gray = gray, .recipe = recipe}, streams_[0]);
  if (call_off) {
    Check(cudaMemsetAsync(called_off_, 1, 4, streams_[1]), "call off");
  }
  uint32_t verdict = 0;
  Check(cudaDeviceSynchronize(), "kernel");
  Check(cudaMemcpy(&verdict, job.verdict, 4, cudaMemcpyDeviceToHost),
        "verdict");
  Check(cudaMemset(called_off_, 0, 4), "called off");
  return verdict == cuda::kVerdictGaveUp;
}

}  // namespace halftoned::test
