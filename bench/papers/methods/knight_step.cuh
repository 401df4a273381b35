// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One label of a picture in knight's order: what a thread of the GPU and the
// loop of the CPU do for a pixel, and what they have in common.

#ifndef HALFTONED_BENCH_PAPERS_METHODS_KNIGHT_STEP_CUH_
#define HALFTONED_BENCH_PAPERS_METHODS_KNIGHT_STEP_CUH_

#include "bench/papers/methods/arithmetic.h"
#include "bench/papers/methods/knight_order.h"

namespace halftoned::papers {

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

inline __host__ __device__ void HalftonePixel(const KnightPicture& picture,
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

}  // namespace halftoned::papers

#endif  // HALFTONED_BENCH_PAPERS_METHODS_KNIGHT_STEP_CUH_
