// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <algorithm>

#include "bench/papers/methods/block_kernels.cuh"
#include "bench/papers/methods/device_memory.cuh"
#include "bench/papers/methods/gpu_method.h"

namespace halftoned::papers {
namespace {

template <Blockwise method>
__device__ void RunInSharedMemory(const BlockPage& page, const Block& block,
                                  int lane) {
  __shared__ BlockArray a;
  __shared__ BlockBits bits;
  if constexpr (method == Blockwise::kDiffusion ||
                method == Blockwise::kCachedDiffusion) {
    LoadForDiffusion(page, block, a, lane);
    if constexpr (method == Blockwise::kDiffusion) {
      Diffusion(page, block, a, bits, lane);
    } else {
      CachedDiffusion(page, block, a, bits, lane);
    }
    StoreForDiffusion(page, block, a, lane);
  } else {
    LoadForCollection(page, block, a, lane);
    if constexpr (method == Blockwise::kCollection) {
      Collection(page, block, a, bits, lane);
    } else {
      CachedCollection(page, block, a, bits, lane);
    }
    StoreForCollection(page, block, a, lane);
  }
  StoreBits(page, block, bits, lane);
}

template <Blockwise method>
__global__ void RunBlock(BlockPage page, int label, int first_strip) {
  const int lane = static_cast<int>(threadIdx.x);
  const Block block =
      Block::Of(label, first_strip + static_cast<int>(blockIdx.x));
  if constexpr (method == Blockwise::kShuffledCollection) {
    ShuffledCollection(page, block, lane);
  } else {
    RunInSharedMemory<method>(page, block, lane);
  }
}

using Kernel = void (*)(BlockPage, int label, int first_strip);

Kernel KernelOf(Blockwise method) {
  switch (method) {
    case Blockwise::kDiffusion:
      return RunBlock<Blockwise::kDiffusion>;
    case Blockwise::kCachedDiffusion:
      return RunBlock<Blockwise::kCachedDiffusion>;
    case Blockwise::kCollection:
      return RunBlock<Blockwise::kCollection>;
    case Blockwise::kCachedCollection:
      return RunBlock<Blockwise::kCachedCollection>;
    case Blockwise::kShuffledCollection:
      return RunBlock<Blockwise::kShuffledCollection>;
  }
  return nullptr;
}

class BlockScan : public GpuMethod {
 public:
  BlockScan(Blockwise method, bool as_graph, int width, int rows)
      : kernel_(KernelOf(method)),
        as_graph_(as_graph),
        c_(static_cast<size_t>(width)),
        r_(3 * static_cast<size_t>(rows)) {}
  ~BlockScan() override {
    if (graph_) cudaGraphExecDestroy(graph_);
  }

  void Run(const Picture& picture) override {
    if (!as_graph_) {
      Launch(picture, nullptr);
    } else {
      if (captured_ != picture.pixels) Capture(picture);
      Must(cudaGraphLaunch(graph_, nullptr), "graph");
    }
  }

 private:
  void Launch(const Picture& picture, cudaStream_t stream) {
    const BlockPage page{picture.gray, picture.pixels, picture.width,
                         picture.rows, c_.get(),       r_.get()};
    Must(cudaMemsetAsync(page.c, 0, c_.bytes(), stream), "C");
    Must(cudaMemsetAsync(page.r, 0, r_.bytes(), stream), "R");
    const int across = page.blocks_per_strip();
    for (int label = 0; label < page.labels(); ++label) {
      // Strips whose block of this label exists.
      const int first = std::max(0, (label - across + 1 + 2) / 3);
      const int last = std::min(page.strips() - 1, label / 3);
      if (first > last) continue;
      kernel_<<<static_cast<unsigned>(last - first + 1), kSide, 0, stream>>>(
          page, label, first);
    }
    Must(cudaGetLastError(), "labels");
  }

  // A graph is for one picture's memory; a method is used for one.
  void Capture(const Picture& picture) {
    cudaStream_t stream;
    cudaGraph_t graph;
    if (graph_) cudaGraphExecDestroy(graph_);
    Must(cudaStreamCreate(&stream), "stream");
    Must(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed),
         "capture");
    Launch(picture, stream);
    Must(cudaStreamEndCapture(stream, &graph), "capture");
    Must(cudaGraphInstantiate(&graph_, graph, 0), "graph");
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
    captured_ = picture.pixels;
  }

  Kernel kernel_;
  bool as_graph_;
  DeviceArray<int> c_;
  DeviceArray<int> r_;
  cudaGraphExec_t graph_ = nullptr;
  const uint8_t* captured_ = nullptr;
};

}  // namespace

std::unique_ptr<GpuMethod> MakeBlockwise(Blockwise method, bool as_graph,
                                         int width, int rows) {
  return std::make_unique<BlockScan>(method, as_graph, width, rows);
}

}  // namespace halftoned::papers
