// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory layout of the rows of states that strips and bands pass on, for
// each kernel: the part of a page's memory that depends on its recipe.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "halftone/page/carry.h"
#include "halftone/page/recipe.h"

namespace halftoned::cuda {

// The kernels, by what they pass from pixel to pixel.
enum class KernelKind {
  kCollecting,  // wavefront.cuh: errors, which are collected
  kSpreading,   // spread: sums of errors and other states
  kDeciding,    // decide_bands.cuh: nothing
};
// Nothing if the GPU has no entry for the recipe's method, and therefore
// refuses it.
std::optional<KernelKind> FindKernel(const Recipe& recipe);
// Precondition: there is one, for this function and those below.
KernelKind KernelFor(const Recipe& recipe);

class HandedRows {
 public:
  HandedRows(const Recipe& recipe, int32_t width);

  // The bytes of one row; a multiple of 16, and 0 where nothing is handed on.
  size_t bytes() const { return bytes_; }
  // The number of strips, at least one, of a band of this many rows; and of a
  // band with a head (BandJob).
  int strips(int32_t rows) const { return strips(rows, rows); }
  int strips(int32_t rows, int32_t head) const;
  // The maximum number of blocks of such a band's kernel: some blocks of a
  // cluster have no strip.
  int blocks(int32_t rows, int32_t head) const;

  // The index of column 0 in the row above a page, and in that below a band;
  // and in that below a strip of a band with a head.
  int pad_above() const;
  int pad_below(int32_t rows) const;
  static int pad_below(int strip, int32_t rows, int32_t head);

  // `row` has bytes() bytes, and column 0 at index `pad`.
  void Write(const Carry& carry, int pad, std::byte* row) const;
  void Read(const std::byte* row, int pad, Carry& carry) const;

 private:
  KernelKind kind_;
  size_t bytes_;
  // The layout of the spreading kernel: sums are a carry's first plane, if
  // there are any, and the other states its last.
  bool has_sums_ = false;
  size_t other_ = 0;
  int least_ = 0;  // of the other states
  uint32_t outside_ = 0;
};

}  // namespace halftoned::cuda
