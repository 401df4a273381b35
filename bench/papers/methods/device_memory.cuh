// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory for the methods that run on a GPU. A CUDA error ends the process,
// with a message, because a test or a bench cannot continue.

#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "bench/papers/methods/picture.h"

namespace halftoned::papers {

inline void Must(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(2);
}

// Initially zeros.
template <typename T>
class DeviceArray {
 public:
  explicit DeviceArray(size_t count) : count_(count) {
    Must(cudaMalloc(&at_, bytes()), "device memory");
    Clear();
  }
  ~DeviceArray() { cudaFree(at_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  T* get() const { return at_; }
  size_t bytes() const { return count_ * sizeof(T); }
  void Clear() { Must(cudaMemsetAsync(at_, 0, bytes()), "clear"); }

 private:
  size_t count_;
  T* at_ = nullptr;
};

// Host memory that the GPU reads and writes in place ("zero copy").
template <typename T>
class MappedArray {
 public:
  explicit MappedArray(size_t count) {
    Must(cudaHostAlloc(&at_, count * sizeof(T), cudaHostAllocMapped),
         "mapped memory");
    for (size_t i = 0; i < count; ++i) at_[i] = T{};
  }
  ~MappedArray() { cudaFreeHost(at_); }
  MappedArray(const MappedArray&) = delete;
  MappedArray& operator=(const MappedArray&) = delete;

  T* get() const { return at_; }  // the same for both sides

 private:
  T* at_ = nullptr;
};

// A page in the GPU's memory, and room for what a method makes of it.
class DevicePicture {
 public:
  template <typename GrayPage>  // of the tests
  explicit DevicePicture(const GrayPage& gray)
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
