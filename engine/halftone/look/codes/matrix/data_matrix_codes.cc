// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/codes/matrix/data_matrix_codes.h"

#include <algorithm>

#include "halftone/cpu/simd/bits/edge_bits.h"
#include "halftone/look/codes/matrix/data_matrix_shape.h"

namespace halftoned {
namespace {

constexpr int64_t kNarrowestBlock = 3;  // cells
constexpr int64_t kHighestBlock = DataMatrixCodes::kAhead;

}  // namespace

// The block of cells whose top row has `run`. Nothing unless it is dense and as
// high as it is wide, as far as rows are known.
std::optional<DataMatrixCodes::Block> DataMatrixCodes::BlockAt(
    int64_t at, const KeptCells::Run& run) const {
  const auto is_dense = [&](int64_t i, int64_t first, int64_t end) {
    return 8 * cells_.CountContrast(i, first, end) >= 5 * (end - first);
  };
  const int64_t rows = cells_.count() - at;
  if (cells_.HasContrast(at - 1, run.first, run.end + 1) ||
      rows < kNarrowestBlock || !is_dense(at + 1, run.first, run.end) ||
      !is_dense(at + 2, run.first, run.end)) {
    return std::nullopt;
  }
  // A skewed code starts at one side.
  Block block{at, at + kNarrowestBlock, run.first, run.end};
  const auto has_contrast = [&](int64_t cell) {
    for (int64_t i = block.top; i < block.bottom; ++i) {
      if (cells_.IsContrast(i, cell)) return true;
    }
    return false;
  };
  const auto widen = [&] {
    while (has_contrast(block.left - 1)) --block.left;
    while (has_contrast(block.right)) ++block.right;
  };
  widen();
  const int64_t high = std::min(block.right - block.left, kHighestBlock);
  if (high < kNarrowestBlock ||
      cells_.HasContrast(at - 1, block.left - 1, block.right + 1)) {
    return std::nullopt;
  }
  // Cells at the sides and in the last row may hold little of the code.
  const int64_t dense = std::max(high - 2, int64_t{2});
  if (rows < dense) return std::nullopt;
  for (int64_t i = at + 1; i < at + dense; ++i) {
    if (!is_dense(i, block.left, block.right)) return std::nullopt;
  }
  block.bottom = at + std::min(high, rows);
  const int64_t wide = block.right - block.left;
  widen();
  // Something else adjoins the block.
  if (block.right - block.left > wide + 3) return std::nullopt;
  return block;
}

void DataMatrixCodes::Search(int64_t at) {
  for (const KeptCells::Run& run : cells_.RunsAt(at)) {
    if (const auto block = BlockAt(at, run)) Try(*block);
  }
}

void DataMatrixCodes::Try(const Block& block) {
  constexpr int64_t kCell = simd::kCellSide;
  const int64_t middle = (block.left + block.right) / 2;
  const int ground = cells_.MostAt(block.top - 1, middle);
  int dark = ground;
  for (int64_t cell = block.left; cell < block.right; ++cell) {
    dark = std::min(dark, cells_.LeastAt(block.top + 1, cell));
  }
  if (4 * (ground - dark) < rows_.highest()) return;
  const PixelBox box{.left = std::max(kCell * (block.left - 1), int64_t{0}),
                     .right = std::min(kCell * block.right, rows_.columns()),
                     .top = std::max(kCell * block.top - 1, int64_t{0}),
                     .bottom = kCell * block.bottom};
  const Place inside{(box.left + box.right) / 2 * kPixel,
                     (box.top + kCell * 2) * kPixel};
  if (codes_.HasOneAt(inside)) return;
  if (const auto area = DataMatrixIn(rows_, box, (ground + dark) / 2 + 1)) {
    codes_.Add(*area);
  }
}

}  // namespace halftoned
