// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// After Deshpande, Misra and Narayanan, "Hybrid Implementation of Error
// Diffusion Dithering".
//
// The pixel-based method: a kernel call a label, consecutive threads at
// consecutive addresses (algorithm 5); the CPU-GPU hand-over (section 4.1) and
// the CPU-GPU hybrid (section 4.2) with it.
//
// Who owns what: the GPU computes labels n … end - n - 1 but for the first
// columns, the CPU all else. Both have the picture in memory of their own, and
// of the other's pixels only what they were given: at each hand-over the
// errors of three labels, on which the next depends, and in between the errors
// beside the border, through mapped memory. The CPU starts the GPU on a label,
// does its own part of it, and waits for the GPU; so what either reads of the
// border was written before the label began.

#include <algorithm>
#include <optional>

#include "bench/papers/methods/arithmetic.h"
#include "bench/papers/methods/device_memory.cuh"
#include "bench/papers/methods/gpu_method.h"
#include "bench/papers/methods/knight_order.h"
#include "bench/papers/methods/transpose.cuh"

namespace halftoned::papers {
namespace {

constexpr int kThreads = 128;

// In knight's order, in the memory of one side.
struct KnightPicture {
  const uint8_t* gray;
  int* errors;
  uint8_t* pixels;
  int width;
};

// A label, with the bases of it and of the three before it.
struct KnightLabel {
  int label;
  ptrdiff_t base, base1, base2, base3;

  static KnightLabel Of(const KnightOrder& order, int label) {
    return {label, order.Base(label), order.Base(label - 1),
            order.Base(label - 2), order.Base(label - 3)};
  }
};

// Where CPU and GPU share a label, columns before `column` are the CPU's. Both
// keep the errors of their own column at the border here as well, by row, in
// memory that both see (figure 8). column is 0 where nothing is shared.
struct Border {
  int column;
  int* of_cpu;  // errors of column - 1
  int* of_gpu;  // errors of column
};

__host__ __device__ void HalftonePixel(const KnightPicture& picture,
                                       const KnightLabel& at,
                                       const Border& border, bool is_gpu,
                                       int i) {
  const int j = at.label - 2 * i;
  const int* const e = picture.errors;
  int left = 0, above_left = 0, above = 0, above_right = 0;
  if (is_gpu && j == border.column && j > 0) {
    left = border.of_cpu[i];
    if (i > 0) above_left = border.of_cpu[i - 1];
  } else if (j > 0) {
    left = e[at.base1 + i];
    if (i > 0) above_left = e[at.base3 + i - 1];
  }
  if (i > 0) {
    above = e[at.base2 + i - 1];
    if (!is_gpu && j + 1 == border.column) {
      above_right = border.of_gpu[i - 1];
    } else if (j + 1 < picture.width) {
      above_right = e[at.base1 + i - 1];
    }
  }
  const auto [level, error] =
      Collect(picture.gray[at.base + i], left, above_left, above, above_right);
  picture.pixels[at.base + i] = level;
  picture.errors[at.base + i] = error;
  if (border.column > 0) {
    if (j == border.column) border.of_gpu[i] = error;
    if (j + 1 == border.column) border.of_cpu[i] = error;
  }
}

__global__ void Label(KnightPicture picture, KnightLabel at, Border border,
                      int first_row, int end_row) {
  const int i =
      first_row + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < end_row) HalftonePixel(picture, at, border, true, i);
}

// A thread a pixel, as the paper is content with.
__global__ void Reorder(const uint8_t* gray, const ptrdiff_t* bases, int width,
                        uint8_t* ordered) {
  const int j = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int i = static_cast<int>(blockIdx.y);
  if (j < width) ordered[bases[2 * i + j] + i] = gray[ptrdiff_t{i} * width + j];
}

// Labels and columns that are the CPU's.
struct Parts {
  int labels;
  int end_label;
  int columns;
  __device__ bool IsCpus(int label, int j) const {
    return label < labels || label >= end_label || j < columns;
  }
};

__global__ void OrderBack(const uint8_t* of_gpu, const uint8_t* of_cpu,
                          const ptrdiff_t* bases, int width, Parts parts,
                          uint8_t* pixels) {
  const int j = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int i = static_cast<int>(blockIdx.y);
  if (j >= width) return;
  const int label = 2 * i + j;
  const uint8_t* from = parts.IsCpus(label, j) ? of_cpu : of_gpu;
  pixels[ptrdiff_t{i} * width + j] = from[bases[label] + i];
}

// The CPU's copy of a picture.
struct CpuSide {
  CpuSide(size_t count, size_t rows)
      : gray(count),
        errors(count),
        pixels(count),
        edge_of_cpu(rows),
        edge_of_gpu(rows) {}

  std::vector<uint8_t> gray;
  MappedArray<int> errors;
  MappedArray<uint8_t> pixels;
  MappedArray<int> edge_of_cpu;
  MappedArray<int> edge_of_gpu;
};

class Knight : public KnightMethod {
 public:
  Knight(bool shared, int width, int rows)
      : order_(width, rows),
        bases_(order_.bases().size()),
        gray_(Pixels()),
        errors_(Pixels()),
        pixels_(Pixels()) {
    Must(cudaMemcpy(bases_.get(), order_.bases().data(), bases_.bytes(),
                    cudaMemcpyHostToDevice),
         "order");
    if (shared) cpu_.emplace(Pixels(), static_cast<size_t>(rows));
  }

  void set_share(Share share) override {
    share_.labels = std::min(share.labels, order_.labels() / 2);
    share_.columns = std::min(share.columns, order_.width() - 1);
  }

  void Arrange(const Picture& picture) override {
    Reorder<<<RowsGrid(order_.width(), order_.rows()), kRowThreads>>>(
        picture.gray, bases_.get(), order_.width(), gray_.get());
    if (cpu_) {
      Must(cudaMemcpy(cpu_->gray.data(), gray_.get(), Pixels(),
                      cudaMemcpyDeviceToHost),
           "the CPU's gray");
    }
  }

  void Run(const Picture&) override {
    const int first = share_.labels;
    const int end = order_.labels() - share_.labels;
    for (int label = 0; label < first; ++label) {
      RunOnCpu(label, order_.FirstRow(label));
    }
    GiveErrorsToGpu(first);
    for (int label = first; label < end; ++label) {
      RunOnGpu(label);
      if (share_.columns > 0) {
        RunOnCpu(label, FirstCpuRow(label));
        Must(cudaStreamSynchronize(nullptr), "label");
      }
    }
    Must(cudaGetLastError(), "labels");
    if (share_.labels == 0) return;
    TakeErrorsFromGpu(first, end);
    for (int label = end; label < order_.labels(); ++label) {
      RunOnCpu(label, order_.FirstRow(label));
    }
  }

  void Restore(const Picture& picture) override {
    const Parts parts{share_.labels, order_.labels() - share_.labels,
                      share_.columns};
    OrderBack<<<RowsGrid(order_.width(), order_.rows()), kRowThreads>>>(
        pixels_.get(), cpu_ ? cpu_->pixels.get() : nullptr, bases_.get(),
        order_.width(), parts, picture.pixels);
    Must(cudaGetLastError(), "order back");
  }

 private:
  size_t Pixels() const {
    return static_cast<size_t>(order_.Start(order_.labels()));
  }

  // The first row of a shared label whose pixel is the CPU's.
  int FirstCpuRow(int label) const {
    if (share_.columns == 0) return order_.EndRow(label);
    const int row =
        label < share_.columns ? 0 : (label - share_.columns) / 2 + 1;
    return std::clamp(row, order_.FirstRow(label),
                      std::max(order_.FirstRow(label), order_.EndRow(label)));
  }

  Border BorderNow() const {
    if (share_.columns == 0) return {};
    return {share_.columns, cpu_->edge_of_cpu.get(), cpu_->edge_of_gpu.get()};
  }

  void RunOnCpu(int label, int first_row) {
    const KnightPicture picture{cpu_->gray.data(), cpu_->errors.get(),
                                cpu_->pixels.get(), order_.width()};
    const KnightLabel at = KnightLabel::Of(order_, label);
    const Border border = BorderNow();
    for (int i = first_row; i < order_.EndRow(label); ++i) {
      HalftonePixel(picture, at, border, false, i);
    }
  }

  void RunOnGpu(int label) {
    const int first = order_.FirstRow(label);
    const int end = std::min(order_.EndRow(label), FirstCpuRow(label));
    if (first >= end) return;
    const KnightPicture picture{gray_.get(), errors_.get(), pixels_.get(),
                                order_.width()};
    const int blocks = (end - first + kThreads - 1) / kThreads;
    Label<<<static_cast<unsigned>(blocks), kThreads>>>(
        picture, KnightLabel::Of(order_, label), BorderNow(), first, end);
  }

  void GiveErrorsToGpu(int first) {
    if (first == 0) return;
    const ptrdiff_t from = order_.Start(std::max(0, first - 3));
    const auto count = static_cast<size_t>(order_.Start(first) - from);
    Must(cudaMemcpyAsync(errors_.get() + from, cpu_->errors.get() + from,
                         count * sizeof(int), cudaMemcpyHostToDevice),
         "hand over to the GPU");
  }

  // Those of the three labels before `end` that the GPU has computed.
  void TakeErrorsFromGpu(int first, int end) {
    for (int label = std::max(first, end - 3); label < end; ++label) {
      const int end_row = std::min(order_.EndRow(label), FirstCpuRow(label));
      if (end_row <= order_.FirstRow(label)) continue;
      const ptrdiff_t from = order_.Start(label);
      const auto count = static_cast<size_t>(end_row - order_.FirstRow(label));
      Must(cudaMemcpyAsync(cpu_->errors.get() + from, errors_.get() + from,
                           count * sizeof(int), cudaMemcpyDeviceToHost),
           "hand over to the CPU");
    }
    Must(cudaStreamSynchronize(nullptr), "hand over");
  }

  KnightOrder order_;
  DeviceArray<ptrdiff_t> bases_;
  DeviceArray<uint8_t> gray_;
  DeviceArray<int> errors_;
  DeviceArray<uint8_t> pixels_;
  std::optional<CpuSide> cpu_;
  Share share_;
};

}  // namespace

std::unique_ptr<KnightMethod> MakeKnight(bool shared, int width, int rows) {
  return std::make_unique<Knight>(shared, width, rows);
}

}  // namespace halftoned::papers
