// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Block-wise error collection as its authors describe it, as a baseline:
// A. Kasagi, K. Nakano, Y. Ito, "Implementations of Parallel Error Diffusion
// Optimized for GPUs", and the same authors' "Parallelization Techniques for
// Error Diffusion with GPU Implementations" (two-delay error collection with
// register caching). No product links it.

#ifndef HALFTONED_TESTS_PAPERS_BWEC_H_
#define HALFTONED_TESTS_PAPERS_BWEC_H_

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace halftoned::papers {

// All pointers are the device's.
struct BwecPage {
  const uint8_t* gray;
  size_t gray_pitch;
  uint8_t* pixels;  // 0 or 1 a pixel, as in the papers
  size_t pixels_pitch;
  int width;
  int rows;
  int* c;  // width errors: of the bottom row, by column; 0 to begin with
  int* r;  // 3 · rows errors: of each row's last three pixels; 0 likewise
};

// One launch a label.
cudaError_t Bwec(const BwecPage& page, cudaStream_t stream);

}  // namespace halftoned::papers

#endif  // HALFTONED_TESTS_PAPERS_BWEC_H_
