// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// After Kasagi, Nakano and Ito, "Parallelization Techniques for Error Diffusion
// with GPU Implementations", sections III and IV.
//
// k-delay parallel scan: at step t the thread of row i is at column t - k·i.
// A kernel call is the only barrier among all blocks, so each step is one.
//
// Threads of a step lie on a slant, so their accesses are not coalesced. With
// data permutation (section IV, figure 4) they are: rows are shifted by k
// pixels each, and the image is transposed, so that step t is row t.

#include <algorithm>

#include "bench/papers/methods/arithmetic.h"
#include "bench/papers/methods/device_memory.cuh"
#include "bench/papers/methods/gpu_method.h"
#include "bench/papers/methods/transpose.cuh"

namespace halftoned::papers {
namespace {

constexpr int DelayOf(Stepwise method) {
  return method == Stepwise::kThreeDelayDiffusion ? 3 : 2;
}
constexpr bool Diffuses(Stepwise method) {
  return method != Stepwise::kCollection;
}

// Where things are. `a` has a border of one pixel all around.
template <Stepwise method, bool permuted>
struct View {
  static constexpr int kDelay = DelayOf(method);

  int width, rows;
  int* a;               // diffusion: pixels, in sixteenths; collection: errors
  const uint8_t* gray;  // both in the order of `a` if that is permuted
  uint8_t* pixels;

  __host__ __device__ int steps() const { return width + kDelay * (rows - 1); }
  __device__ ptrdiff_t At(int i, int j) const {
    if constexpr (permuted) {
      const ptrdiff_t step = j + kDelay * i;  // -1 - kDelay at the least
      return (step + kDelay + 1) * (rows + 2) + i + 1;
    }
    return (i + ptrdiff_t{1}) * (width + 2) + j + 1;
  }
  __device__ ptrdiff_t PixelAt(int i, int j) const {
    return permuted ? At(i, j) : ptrdiff_t{i} * width + j;
  }
  static size_t CellsOf(int width, int rows) {
    const auto across = static_cast<size_t>(permuted ? rows : width) + 2;
    const auto down = static_cast<size_t>(
        permuted ? width + kDelay * rows + kDelay + 2 : rows + 2);
    return across * down;
  }
};

// COMP(i, j) of section III. Second is the second of two calls a step.
template <Stepwise method, bool permuted, bool second>
__device__ void Comp(const View<method, permuted>& view, int i, int j) {
  int* const a = view.a;
  if constexpr (method == Stepwise::kCollection) {
    const auto [r, e] = Collect(view.gray[view.PixelAt(i, j)],
                                a[view.At(i, j - 1)], a[view.At(i - 1, j - 1)],
                                a[view.At(i - 1, j)], a[view.At(i - 1, j + 1)]);
    a[view.At(i, j)] = e;
    view.pixels[view.PixelAt(i, j)] = r;
    return;
  }
  int e = a[view.At(i, j)];
  if constexpr (!second) {
    const Quantised quantised = Quantise(Rounded(e));
    view.pixels[view.PixelAt(i, j)] = quantised.level;
    e = quantised.error;
    if constexpr (method == Stepwise::kAtomicDiffusion) {
      atomicAdd(&a[view.At(i, j + 1)], 7 * e);
    } else {
      a[view.At(i, j + 1)] += 7 * e;
    }
    if constexpr (method == Stepwise::kDoubledDiffusion) {
      a[view.At(i, j)] = e;  // for the second call
      return;
    }
  }
  a[view.At(i + 1, j + 1)] += e;
  a[view.At(i + 1, j)] += 5 * e;
  if constexpr (method == Stepwise::kAtomicDiffusion) {
    atomicAdd(&a[view.At(i + 1, j - 1)], 3 * e);
  } else {
    a[view.At(i + 1, j - 1)] += 3 * e;
  }
}

template <Stepwise method, bool permuted, bool second>
__global__ void Step(View<method, permuted> view, int t, int first_row,
                     int end_row) {
  const int i =
      first_row + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < end_row) {
    Comp<method, permuted, second>(view, i, t - view.kDelay * i);
  }
}

// The image as diffusion wants it, in the order of the picture.
template <Stepwise method>
__global__ void Fill(View<method, false> view) {
  const int j = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int i = static_cast<int>(blockIdx.y);
  if (j < view.width) {
    view.a[view.At(i, j)] = SixteenthsOf(view.gray[view.PixelAt(i, j)]);
  }
}

struct ToSixteenths {
  __device__ int operator()(uint8_t gray) const { return SixteenthsOf(gray); }
};

template <Stepwise method, bool permuted>
class Scan : public GpuMethod {
 public:
  Scan(int width, int rows)
      : width_(width),
        rows_(rows),
        a_(ThisView::CellsOf(width, rows)),
        gray_(permuted && !Diffuses(method) ? ThisView::CellsOf(width, rows)
                                            : 1),
        pixels_(permuted ? ThisView::CellsOf(width, rows) : 1),
        shifted_(permuted ? ShiftedPitch() * static_cast<size_t>(rows) : 1) {}

  void Arrange(const Picture& picture) override {
    if constexpr (permuted) {
      ShiftRows(picture.gray, shifted_.get(), width_, rows_, kDelay);
      if constexpr (Diffuses(method)) {
        Transpose(Shifted(), Permuted(a_.get()), ToSixteenths());
      } else {
        Transpose(Shifted(), Permuted(gray_.get()), Same());
      }
    } else if constexpr (Diffuses(method)) {
      Fill<<<RowsGrid(width_, rows_), kRowThreads>>>(ViewOf(picture));
    }
  }

  void Run(const Picture& picture) override {
    constexpr int kThreads = 32;
    const ThisView view = ViewOf(picture);
    for (int t = 0; t < view.steps(); ++t) {
      const int first = std::max(0, (t - (width_ - 1) + kDelay - 1) / kDelay);
      const int end = std::min(rows_, t / kDelay + 1);
      if (first >= end) continue;  // steps on which no row has a pixel
      const int blocks = (end - first + kThreads - 1) / kThreads;
      Step<method, permuted, false><<<blocks, kThreads>>>(view, t, first, end);
      if constexpr (method == Stepwise::kDoubledDiffusion) {
        Step<method, permuted, true><<<blocks, kThreads>>>(view, t, first, end);
      }
    }
    Must(cudaGetLastError(), "steps");
  }

  void Restore(const Picture& picture) override {
    if constexpr (permuted) {
      Transpose(Permuted<const uint8_t>(pixels_.get()),
                Sheet<uint8_t>(Shifted()), Same());
      UnshiftRows(shifted_.get(), picture.pixels, width_, rows_, kDelay);
    }
  }

 private:
  static constexpr int kDelay = DelayOf(method);
  using ThisView = View<method, permuted>;

  ThisView ViewOf(const Picture& picture) const {
    return {width_, rows_, a_.get(), permuted ? gray_.get() : picture.gray,
            permuted ? pixels_.get() : picture.pixels};
  }
  int steps() const { return width_ + kDelay * (rows_ - 1); }
  size_t ShiftedPitch() const { return static_cast<size_t>(steps()); }
  // Rows by steps.
  Sheet<uint8_t> Shifted() const {
    return {shifted_.get(), steps(), rows_, steps()};
  }
  // Steps by rows, without the border.
  template <typename T>
  Sheet<T> Permuted(T* bordered) const {
    const ptrdiff_t pitch = rows_ + 2;
    return {bordered + (kDelay + 1) * pitch + 1, rows_, steps(), pitch};
  }

  int width_;
  int rows_;
  DeviceArray<int> a_;
  DeviceArray<uint8_t> gray_;
  DeviceArray<uint8_t> pixels_;
  DeviceArray<uint8_t> shifted_;
};

template <Stepwise method>
std::unique_ptr<GpuMethod> Make(bool permuted, int width, int rows) {
  if (permuted) return std::make_unique<Scan<method, true>>(width, rows);
  return std::make_unique<Scan<method, false>>(width, rows);
}

}  // namespace

std::unique_ptr<GpuMethod> MakeStepwise(Stepwise method, bool permuted,
                                        int width, int rows) {
  switch (method) {
    case Stepwise::kThreeDelayDiffusion:
      return Make<Stepwise::kThreeDelayDiffusion>(permuted, width, rows);
    case Stepwise::kAtomicDiffusion:
      return Make<Stepwise::kAtomicDiffusion>(permuted, width, rows);
    case Stepwise::kDoubledDiffusion:
      return Make<Stepwise::kDoubledDiffusion>(permuted, width, rows);
    case Stepwise::kCollection:
      return Make<Stepwise::kCollection>(permuted, width, rows);
  }
  return nullptr;
}

}  // namespace halftoned::papers
