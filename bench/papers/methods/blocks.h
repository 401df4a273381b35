// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Error diffusion by blocks on threads: A. Deshpande, I. Misra,
// P. J. Narayanan, "Hybrid Implementation of Error Diffusion Dithering",
// section 3.2.

#pragma once

#include "bench/papers/methods/picture.h"

namespace halftoned::papers {

// Rows and columns of a block; more columns than rows.
struct BlockSize {
  int rows;
  int columns;

  // Keeps `threads` blocks ready for most of the time (section 5.1): as many
  // columns as give 2 · threads blocks side by side, and few rows, so that the
  // picture is long in comparison to its ends, where fewer blocks are ready.
  static BlockSize For(const Picture& picture, int threads);
};

// `plane` has the picture's size.
void RunBlocks(const Picture& picture, Plane& plane, int threads);

}  // namespace halftoned::papers
