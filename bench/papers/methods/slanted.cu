// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// After Mao, Abello, Sarkar, Ulichney and Allebach on error diffusion on GPGPUs
// by slanted scan lines, section 2.
//
// A block of n threads takes a strip of n rows, a thread a row, each two
// columns behind the row above. Errors of the last four steps are in shared
// memory, a ring of 4 × (n + 1); column 0 of it holds those of the last row of
// the strip above, which come through global memory.
//
// The paper starts a strip when the one above is m columns ahead, once, with m
// found by trial, and counts on both to be equally fast. That is not safe. Here
// the strip above sends a message every 32 columns, with release, and the first
// thread of a strip waits, with acquire, for the columns that it needs. Blocks
// take strips in the order of a ticket, so that the strip above has begun.

#include <cuda/atomic>

#include "bench/papers/methods/arithmetic.h"
#include "bench/papers/methods/device_memory.cuh"
#include "bench/papers/methods/gpu_method.h"

namespace halftoned::papers {
namespace {

constexpr int kColumnsPerMessage = 32;

using Message = cuda::atomic_ref<int, cuda::thread_scope_device>;

struct Strips {
  const uint8_t* gray;
  uint8_t* pixels;
  int width;
  int rows;
  int* bottom;    // errors of each strip's last row
  int* messages;  // columns of it that are finished, a number a strip
  int* ticket;
};

// The last row of the strip above, read from left to right by one thread.
class RowAbove {
 public:
  __device__ RowAbove(const Strips& strips, int strip) : width_(strips.width) {
    if (strip == 0) return;
    errors_ = strips.bottom + (strip - 1) * ptrdiff_t{width_};
    message_ = strips.messages + (strip - 1);
  }

  // 0 above the first strip.
  __device__ int At(int column) {
    if (!errors_ || column >= width_) return 0;
    while (known_ <= column) {
      known_ = Message(*message_).load(cuda::memory_order_acquire);
    }
    return errors_[column];
  }

 private:
  int width_;
  const int* errors_ = nullptr;
  int* message_ = nullptr;
  int known_ = 0;
};

__global__ void Scan(Strips strips) {
  extern __shared__ int shared[];
  __shared__ int ticket;
  const int n = static_cast<int>(blockDim.x);
  const int thread = static_cast<int>(threadIdx.x);
  const auto ring = [&](int step, int column) -> int& {
    return shared[(step & 3) * (n + 1) + column];
  };

  if (thread == 0) ticket = atomicAdd(strips.ticket, 1);
  for (int i = thread; i < 4 * (n + 1); i += n) shared[i] = 0;
  __syncthreads();

  const int strip = ticket;
  const int row = strip * n + thread;
  const ptrdiff_t first = ptrdiff_t{row} * strips.width;
  int* const bottom = strips.bottom + ptrdiff_t{strip} * strips.width;
  RowAbove above(strips, strip);
  if (thread == 0) ring(-2, 0) = above.At(0);

  const int steps = strips.width + 2 * (n - 1);
  for (int t = 0; t < steps; ++t) {
    const int j = t - 2 * thread;
    if (thread == 0) ring(t - 1, 0) = above.At(j + 1);
    int error = 0;
    if (row < strips.rows && j >= 0 && j < strips.width) {
      const auto [r, e] = Collect(strips.gray[first + j],
                                  ring(t - 1, thread + 1), ring(t - 3, thread),
                                  ring(t - 2, thread), ring(t - 1, thread));
      strips.pixels[first + j] = r;
      error = e;
      if (thread == n - 1) {
        bottom[j] = e;
        if ((j + 1) % kColumnsPerMessage == 0 || j + 1 == strips.width) {
          Message(strips.messages[strip])
              .store(j + 1, cuda::memory_order_release);
        }
      }
    }
    ring(t, thread + 1) = error;
    __syncthreads();
  }
}

class SlantedScan : public GpuMethod {
 public:
  SlantedScan(int threads, int width, int rows)
      : threads_(threads),
        strips_((rows + threads - 1) / threads),
        bottom_(static_cast<size_t>(strips_) * static_cast<size_t>(width)),
        messages_(static_cast<size_t>(strips_)),
        ticket_(1) {}

  void Run(const Picture& picture) override {
    messages_.Clear();
    ticket_.Clear();
    const auto shared_bytes =
        4 * (static_cast<size_t>(threads_) + 1) * sizeof(int);
    Scan<<<static_cast<unsigned>(strips_), static_cast<unsigned>(threads_),
           shared_bytes>>>({picture.gray, picture.pixels, picture.width,
                            picture.rows, bottom_.get(), messages_.get(),
                            ticket_.get()});
    Must(cudaGetLastError(), "slanted scan lines");
  }

 private:
  int threads_;
  int strips_;
  DeviceArray<int> bottom_;
  DeviceArray<int> messages_;
  DeviceArray<int> ticket_;
};

}  // namespace

std::unique_ptr<GpuMethod> MakeSlanted(int threads, int width, int rows) {
  return std::make_unique<SlantedScan>(threads, width, rows);
}

}  // namespace halftoned::papers
