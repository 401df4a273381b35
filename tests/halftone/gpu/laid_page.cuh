// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pages laid out in device memory by hand, for tests and benches of the kernel
// alone.

#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "halftone/gpu/common/band_job.h"
#include "tests/equality/oracle.h"

namespace halftoned::testing {

// Ends the process, with a message, on an error.
void Check(cudaError_t error, const char* what);

// Device memory, given out piece by piece and taken back all at once.
class Arena {
 public:
  explicit Arena(size_t bytes);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  template <typename T>
  T* Take(size_t count) {
    return static_cast<T*>(TakeBytes(count * sizeof(T)));
  }
  // Poisons what was given out, and takes it back.
  void Rewind();

 private:
  void* TakeBytes(size_t bytes);

  std::byte* base_ = nullptr;
  size_t bytes_;
  size_t used_ = 0;
};

struct LaidPage {
  std::vector<cuda::BandJob> jobs;  // a band each, chained
  std::vector<size_t> state_bytes;  // of each band's hand-off memory
  std::byte* bits;
  size_t bits_pitch;
};

// `called_off` is a word that is 0. `bands`: rows of each.
LaidPage LayOut(Arena& arena, const GrayPage& gray, const Recipe& recipe,
                const std::optional<Carry>& above,
                const std::vector<int32_t>& bands, const uint32_t* called_off);

// Makes the bands' hand-off memory fresh again, for another launch.
void Refresh(const LaidPage& laid, cudaStream_t stream);

BitPage Collect(const LaidPage& laid, const GrayPage& gray,
                const Recipe& recipe);

}  // namespace halftoned::testing
