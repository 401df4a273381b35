// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sequential methods of A. Kasagi, K. Nakano, Y. Ito, "Parallelization
// Techniques for Error Diffusion with GPU Implementations", section II.

#ifndef HALFTONED_BENCH_PAPERS_METHODS_SEQUENTIAL_H_
#define HALFTONED_BENCH_PAPERS_METHODS_SEQUENTIAL_H_

#include "bench/papers/methods/counted.h"
#include "bench/papers/methods/picture.h"

namespace halftoned::papers {

enum class Sequential {
  kDiffusion,
  kCollection,
  kCachedDiffusion,  // with register caching
  kCachedCollection,
};
inline constexpr Sequential kSequential[] = {
    Sequential::kDiffusion, Sequential::kCollection,
    Sequential::kCachedDiffusion, Sequential::kCachedCollection};
const char* NameOf(Sequential method);

// `plane` has the picture's size, and is new or was used by this method. Two
// levels.
void RunSequential(Sequential method, const Picture& picture, Plane& plane);

// The same, its accesses counted as in table I of the paper: those to the
// image, to the binary image and to the registers that cache the image. Not
// counted is how the image gets into the plane.
Counts Count(Sequential method, const Picture& picture, Plane& plane);

}  // namespace halftoned::papers

#endif  // HALFTONED_BENCH_PAPERS_METHODS_SEQUENTIAL_H_
