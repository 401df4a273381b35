// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sequential methods of A. Kasagi, K. Nakano, Y. Ito, "Parallelization
// Techniques for Error Diffusion with GPU Implementations", section II.

#pragma once

#include "bench/papers/methods/picture.h"

namespace halftoned::papers {

// A row of pixels, by arrays that begin at its first pixel and reach into the
// rows beside it.
struct Row {
  int* a;  // collection: errors
  uint8_t* b;
  const uint8_t* gray;  // collection only
  ptrdiff_t pitch;
  int width;
};

struct Sequential {
  const char* name;  // as in the paper; RC: register caching
  bool diffuses;
  void (*run_row)(const Row& row);
};
extern const Sequential kSequential[4];

// `plane` has the picture's size, and is new or was used by this method. Two
// levels.
void RunSequential(const Sequential& method, const Picture& picture,
                   Plane& plane);

}  // namespace halftoned::papers
