// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "halftone/cuda/geometry.h"
#include "halftone/cuda/terms.h"
#include "tests/cuda/laid_page.cuh"

namespace halftoned::testing {

void Check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(2);
}

Arena::Arena(size_t bytes) : bytes_((bytes + 255) / 256 * 256) {
  Check(cudaMalloc(&base_, bytes_), "arena");
}

Arena::~Arena() { cudaFree(base_); }

void* Arena::TakeBytes(size_t bytes) {
  void* piece = base_ + used_;
  used_ += (bytes + 255) / 256 * 256;
  if (used_ > bytes_) Check(cudaErrorMemoryAllocation, "arena");
  return piece;
}

void Arena::Rewind() {
  Check(cudaMemset(base_, 0xA5, used_), "poison");
  used_ = 0;
}

namespace {

size_t RoundUp16(size_t bytes) { return (bytes + 15) / 16 * 16; }

template <typename T>
T* Upload(Arena& arena, const std::vector<T>& values) {
  T* there = arena.Take<T>(values.size());
  Check(cudaMemcpy(there, values.data(), values.size() * sizeof(T),
                   cudaMemcpyHostToDevice),
        "upload");
  return there;
}

// What all bands of a page have in common.
cuda::BandJob CommonPart(Arena& arena, const GrayPage& gray,
                         const Recipe& recipe, const uint32_t* called_off) {
  const auto rows = static_cast<size_t>(gray.rows);
  const size_t pitch = RoundUp16(gray.bytes_per_row());
  const size_t bits_pitch =
      RoundUp16(recipe.bit_bytes_per_row(gray.page.width()));
  cuda::BandJob job{};
  auto* pixels = arena.Take<std::byte>(pitch * rows);
  Check(cudaMemset(pixels, 0xA5, pitch * rows), "pad");
  Check(cudaMemcpy2D(pixels, pitch, gray.samples.data(), gray.bytes_per_row(),
                     gray.bytes_per_row(), rows, cudaMemcpyHostToDevice),
        "gray");
  job.gray = pixels;
  job.gray_pitch = static_cast<uint32_t>(pitch);
  job.bits = arena.Take<std::byte>(bits_pitch * rows);
  job.bits_pitch = static_cast<uint32_t>(bits_pitch);
  job.width = gray.page.width();
  job.deep = gray.page.depth() == Depth::k16;
  if (!recipe.curve().is_identity()) {
    job.tone = Upload(arena, cuda::TermsOf(recipe.curve(), gray.page.depth()));
  }
  job.called_off = called_off;
  job.patience_ns = 5'000'000'000;
  return job;
}

}  // namespace

LaidPage LayOut(Arena& arena, const GrayPage& gray, const Recipe& recipe,
                const std::optional<Carry>& above,
                const std::vector<int32_t>& bands, const uint32_t* called_off) {
  cuda::BandJob job = CommonPart(arena, gray, recipe, called_off);
  const auto states =
      static_cast<size_t>(cuda::StatesPerRow(gray.page.width()));
  if (above) {
    std::vector<uint16_t> row(states, cuda::kStateOutside);
    cuda::StatesOf(above->plane(0), row.data());
    job.states_in = Upload(arena, row);
  }
  LaidPage laid{{}, job.bits, job.bits_pitch};
  for (int32_t rows : bands) {
    const auto strips = static_cast<size_t>(cuda::StripsOf(rows));
    job.rows = rows;
    job.states_between = arena.Take<uint16_t>(states * strips);
    job.states_out = job.states_between + states * (strips - 1);
    job.verdict = arena.Take<uint32_t>(1);
    laid.jobs.push_back(job);
    job.gray += size_t{job.gray_pitch} * static_cast<size_t>(rows);
    job.bits += size_t{job.bits_pitch} * static_cast<size_t>(rows);
    job.states_in = job.states_out;
    job.pad_in = cuda::PadOf(cuda::LastRowInStrip(rows));
  }
  Refresh(laid, nullptr);
  return laid;
}

void Refresh(const LaidPage& laid, cudaStream_t stream) {
  for (const cuda::BandJob& job : laid.jobs) {
    const auto states = static_cast<size_t>(cuda::StatesPerRow(job.width));
    const auto strips = static_cast<size_t>(cuda::StripsOf(job.rows));
    Check(cudaMemsetAsync(job.states_between, cuda::kFreshByte,
                          states * strips * sizeof(uint16_t), stream),
          "fresh states");
    Check(cudaMemsetAsync(job.verdict, cuda::kFreshByte, sizeof(uint32_t),
                          stream),
          "fresh verdict");
  }
}

BitPage Collect(const LaidPage& laid, const GrayPage& gray,
                const Recipe& recipe) {
  Check(cudaDeviceSynchronize(), "kernel");
  const size_t bytes_per_row = recipe.bit_bytes_per_row(gray.page.width());
  const auto rows = static_cast<size_t>(gray.rows);
  BitPage out{bytes_per_row, std::vector<std::byte>(bytes_per_row * rows),
              Carry::AtStart(recipe, gray.page)};
  Check(
      cudaMemcpy2D(out.bytes.data(), bytes_per_row, laid.bits, laid.bits_pitch,
                   bytes_per_row, rows, cudaMemcpyDeviceToHost),
      "bits");
  const cuda::BandJob& last = laid.jobs.back();
  std::vector<uint16_t> states(
      static_cast<size_t>(cuda::StatesPerRow(last.width)));
  Check(cudaMemcpy(states.data(), last.states_out,
                   states.size() * sizeof(uint16_t), cudaMemcpyDeviceToHost),
        "states");
  cuda::ErrorsOf(states.data() + cuda::PadOf(cuda::LastRowInStrip(last.rows)),
                 out.below.plane(0));
  out.below.set_next_row(gray.page.first_row() + gray.rows);
  return out;
}

}  // namespace halftoned::testing
