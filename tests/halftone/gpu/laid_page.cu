// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "halftone/gpu/host/session/handed_rows.h"
#include "halftone/gpu/host/session/pixel_table.h"
#include "tests/halftone/gpu/laid_page.cuh"

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
  job.first_row = gray.page.first_row();
  job.deep = gray.page.depth() == Depth::k16;
  const auto table = cuda::PixelTable(recipe, gray.page.depth());
  if (!table.empty()) job.tone = Upload(arena, table);
  job.called_off = called_off;
  job.patience_ns = 60'000'000'000;  // a sanitizer's kernels take long
  return job;
}

}  // namespace

LaidPage LayOut(Arena& arena, const GrayPage& gray, const Recipe& recipe,
                const std::optional<Carry>& above,
                const std::vector<int32_t>& bands, const uint32_t* called_off) {
  cuda::BandJob job = CommonPart(arena, gray, recipe, called_off);
  const cuda::HandedRows handed(recipe, gray.page.width());
  const auto states_at = [](std::byte* at) {
    return reinterpret_cast<uint16_t*>(at);
  };
  if (above) {
    std::vector<std::byte> row(handed.bytes());
    handed.Write(*above, handed.pad_above(), row.data());
    job.states_in = states_at(Upload(arena, row));
  }
  job.pad_in = handed.pad_above();
  LaidPage laid{{}, {}, job.bits, job.bits_pitch};
  for (int32_t rows : bands) {
    const auto strips = static_cast<size_t>(handed.strips(rows));
    auto* states = arena.Take<std::byte>(handed.bytes() * strips);
    job.rows = job.head = rows;
    job.states_between = states_at(states);
    job.states_out = states_at(states + handed.bytes() * (strips - 1));
    job.verdict = arena.Take<uint32_t>(1);
    laid.jobs.push_back(job);
    laid.state_bytes.push_back(handed.bytes() * strips);
    job.gray += size_t{job.gray_pitch} * static_cast<size_t>(rows);
    job.bits += size_t{job.bits_pitch} * static_cast<size_t>(rows);
    job.first_row += rows;
    job.states_in = job.states_out;
    job.pad_in = handed.pad_below(rows);
  }
  Refresh(laid, nullptr);
  return laid;
}

void Refresh(const LaidPage& laid, cudaStream_t stream) {
  for (size_t i = 0; i < laid.jobs.size(); ++i) {
    const cuda::BandJob& job = laid.jobs[i];
    Check(cudaMemsetAsync(job.states_between, cuda::kFreshByte,
                          laid.state_bytes[i], stream),
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
  const cuda::HandedRows handed(recipe, last.width);
  std::vector<std::byte> states(handed.bytes());
  Check(cudaMemcpy(states.data(), last.states_out, states.size(),
                   cudaMemcpyDeviceToHost),
        "states");
  handed.Read(states.data(), handed.pad_below(last.rows), out.below);
  out.below.set_next_row(gray.page.first_row() + gray.rows);
  return out;
}

}  // namespace halftoned::testing
