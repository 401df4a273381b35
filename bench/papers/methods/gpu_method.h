// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The papers' methods on a GPU, as tests and benches see them.

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/papers/methods/picture.h"

namespace halftoned::papers {

// A method, with the memory that it needs for pictures of one size. Work is
// enqueued on CUDA's default stream; pictures are in the GPU's memory.
class GpuMethod {
 public:
  virtual ~GpuMethod() = default;
  // Brings the gray into the order and the form that the method works on.
  virtual void Arrange(const Picture&) {}
  virtual void Run(const Picture& picture) = 0;
  // Brings the pixels back into the order of the picture.
  virtual void Restore(const Picture&) {}
};

using GpuMethodMaker =
    std::function<std::unique_ptr<GpuMethod>(int width, int rows)>;

struct ListedGpuMethod {
  std::string group;
  std::string name;
  GpuMethodMaker make;  // rows: at most 65535
};
std::vector<ListedGpuMethod> GpuMethods();

// A. Kasagi, K. Nakano, Y. Ito, "Parallelization Techniques for Error Diffusion
// with GPU Implementations", sections III and IV: a kernel call for every step
// of the picture, in global memory.
enum class Stepwise {
  kThreeDelayDiffusion,
  kAtomicDiffusion,   // 2-delay, with atomicAdd
  kDoubledDiffusion,  // 2-delay, with two kernel calls a step
  kCollection,        // 2-delay
};
std::unique_ptr<GpuMethod> MakeStepwise(Stepwise method, bool permuted,
                                        int width, int rows);

// The same paper, section V, and the same authors' "Implementations of Parallel
// Error Diffusion Optimized for GPUs", section III: a kernel call for every
// label of parallelogram blocks, which are worked on in shared memory.
enum class Blockwise {
  kDiffusion,
  kCachedDiffusion,  // with register caching
  kCollection,
  kCachedCollection,
  kShuffledCollection,  // register caching, and neighbors' errors by shuffles
};
std::unique_ptr<GpuMethod> MakeBlockwise(Blockwise method, bool as_graph,
                                         int width, int rows);

// Y. Mao, L. Abello, U. Sarkar, R. Ulichney, J. Allebach, on parallel error
// diffusion on GPGPUs (ICIP 2018; the translation that we read names them so):
// slanted scan lines, section 2. threads: of a block, 32 … 256.
std::unique_ptr<GpuMethod> MakeSlanted(int threads, int width, int rows);

// A. Deshpande, I. Misra, P. J. Narayanan, "Hybrid Implementation of Error
// Diffusion Dithering", sections 3.3 and 4: a kernel call for every label, the
// picture in knight's order, and a share of the work for the CPU.
class KnightMethod : public GpuMethod {
 public:
  // The CPU takes the first and the last `labels` labels (hand-over) and of
  // those between them the pixels of the first `columns` columns (hybrid).
  struct Share {
    int labels = 0;
    int columns = 0;
  };
  virtual void set_share(Share share) = 0;
};
// Without `shared` the CPU gets no share.
std::unique_ptr<KnightMethod> MakeKnight(bool shared, int width, int rows);

}  // namespace halftoned::papers
