// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block is a parallelogram: each of its rows lies one column to the left of
// the row above, so that it needs nothing of the block to its right. Block
// (r, c) then waits for those that a pixel would wait for, and gets the label
// 2r + c: blocks of one label lie apart by a knight's move, and need and touch
// nothing of each other as long as blocks are wider than high.

#include "bench/papers/methods/blocks.h"

#include <algorithm>
#include <barrier>
#include <thread>

#include "bench/papers/methods/arithmetic.h"

namespace halftoned::papers {
namespace {

int QuotientRoundedUp(int a, int b) { return (a + b - 1) / b; }

struct Blocks {
  const Picture& picture;
  Plane& plane;
  BlockSize size;

  int down() const { return QuotientRoundedUp(picture.rows, size.rows); }
  int across() const {
    return QuotientRoundedUp(picture.width + size.rows - 1, size.columns);
  }
  int labels() const { return 2 * (down() - 1) + across(); }
};

// Algorithm 1 on one block.
void Dither(const Blocks& blocks, int r, int c) {
  const auto& [picture, plane, size] = blocks;
  const ptrdiff_t below = plane.pitch();
  const int first_row = r * size.rows;
  const int end_row = std::min(first_row + size.rows, picture.rows);
  for (int i = first_row; i < end_row; ++i) {
    const int shifted = c * size.columns - (i - first_row);
    const int end = std::min(shifted + size.columns, picture.width);
    int* a = plane.origin() + i * below;
    uint8_t* pixels = picture.pixels + ptrdiff_t{i} * picture.width;
    for (int j = std::max(shifted, 0); j < end; ++j) {
      const auto [level, e] = Quantise(Rounded(a[j]));
      pixels[j] = level;
      a[j + 1] += 7 * e;
      a[j + below - 1] += 3 * e;
      a[j + below] += 5 * e;
      a[j + below + 1] += e;
    }
  }
}

void FillRows(const Picture& picture, Plane& plane, int thread, int threads) {
  for (int i = thread; i < picture.rows; i += threads) {
    int* a = plane.origin() + i * plane.pitch();
    const uint8_t* gray = picture.gray + ptrdiff_t{i} * picture.width;
    for (int j = 0; j < picture.width; ++j) a[j] = SixteenthsOf(gray[j]);
  }
}

// Algorithm 4: label by label, the blocks of a label shared by all threads,
// from the uppermost (the "primal block", algorithm 3) on down.
void RunAll(const Blocks& blocks, int threads) {
  std::barrier together(threads);
  const auto work = [&](int thread) {
    FillRows(blocks.picture, blocks.plane, thread, threads);
    together.arrive_and_wait();
    for (int label = 0; label < blocks.labels(); ++label) {
      const int primal =
          std::max(0, QuotientRoundedUp(label - (blocks.across() - 1), 2));
      const int end = std::min(blocks.down(), label / 2 + 1);
      for (int r = primal + thread; r < end; r += threads) {
        Dither(blocks, r, label - 2 * r);
      }
      together.arrive_and_wait();
    }
  };
  std::vector<std::jthread> others;
  for (int i = 1; i < threads; ++i) others.emplace_back(work, i);
  work(0);
}

}  // namespace

BlockSize BlockSize::For(const Picture& picture, int threads) {
  const int columns = std::max(2, picture.width / (2 * threads));
  const int rows = std::max(1, picture.rows / (8 * threads));
  return {std::min(rows, columns - 1), columns};
}

void RunBlocks(const Picture& picture, Plane& plane, int threads) {
  RunAll({picture, plane, BlockSize::For(picture, threads)}, threads);
}

}  // namespace halftoned::papers
