// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A page in the GPU's memory, and room for what a method makes of it.

#ifndef HALFTONED_BENCH_PAPERS_METHODS_DEVICE_PICTURE_CUH_
#define HALFTONED_BENCH_PAPERS_METHODS_DEVICE_PICTURE_CUH_

#include <cstddef>
#include <cstdint>

#include "bench/papers/methods/device_memory.cuh"
#include "bench/papers/methods/picture.h"
#include "tests/equality/pages.h"

namespace halftoned::papers {

class DevicePicture {
 public:
  explicit DevicePicture(const testing::GrayPage& gray)
      : gray_(gray.samples.size()),
        pixels_(gray.samples.size()),
        picture_{gray_.get(), pixels_.get(), gray.page.width(), gray.rows} {
    Must(cudaMemcpy(gray_.get(), gray.samples.data(), gray_.bytes(),
                    cudaMemcpyHostToDevice),
         "gray");
  }
  const Picture& get() const { return picture_; }
  size_t bytes() const { return pixels_.bytes(); }

 private:
  DeviceArray<uint8_t> gray_;
  DeviceArray<uint8_t> pixels_;
  Picture picture_;
};

}  // namespace halftoned::papers

#endif  // HALFTONED_BENCH_PAPERS_METHODS_DEVICE_PICTURE_CUH_
