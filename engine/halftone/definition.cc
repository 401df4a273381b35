// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floyd–Steinberg error collection, as ARCHITECTURE.md defines it. Nothing
// here is clever.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "halftone/scalar.h"

namespace halftoned {
namespace {

int CurvedValue(const KernelJob& job, int32_t row, int32_t column) {
  const std::byte* samples = job.gray.row(row);
  if (job.page.depth() == Depth::k8) {
    return job.recipe.curve().At8(std::to_integer<uint8_t>(samples[column]));
  }
  uint16_t a;
  std::memcpy(&a, samples + 2 * static_cast<size_t>(column), sizeof(a));
  return job.recipe.curve().At16(a);
}

int NearestLevel(const Levels& levels, int s) {
  int k = 0;
  while (k < levels.count - 1 && s > levels.midpoint[k]) ++k;
  return k;
}

// Packs `sample` into a row whose bits there are still 0.
void PutSample(std::byte* row, int32_t column, int bits, int sample) {
  const int64_t bit = int64_t{column} * bits;
  const int shift = 8 - bits - static_cast<int>(bit % 8);
  row[bit / 8] |= static_cast<std::byte>(sample << shift);
}

}  // namespace

void HalftoneByDefinition(const KernelJob& job) {
  const Levels& levels = job.recipe.levels();
  const int32_t width = job.page.width();
  const auto carried = job.carry.plane(0);
  std::vector<int16_t> row_above(carried.begin(), carried.end());
  std::vector<int16_t> row(carried.size());

  for (int32_t i = 0; i < job.gray.rows; ++i) {
    std::byte* bits = job.bits.row(i);
    std::memset(bits, 0, job.recipe.bit_bytes_per_row(width));
    for (int32_t j = 0; j < width; ++j) {
      const int left = j > 0 ? row[j - 1] : 0;
      const int above_left = j > 0 ? row_above[j - 1] : 0;
      const int above = row_above[j];
      const int above_right = j < width - 1 ? row_above[j + 1] : 0;
      const int s =
          CurvedValue(job, i, j) +
          ((7 * left + above_left + 5 * above + 3 * above_right + 8) >> 4);
      const int k = NearestLevel(levels, s);
      row[j] = static_cast<int16_t>(s - levels.value[k]);
      PutSample(bits, j, levels.bits_per_sample, levels.sample[k]);
    }
    row_above.swap(row);
  }
  std::copy(row_above.begin(), row_above.end(), carried.begin());
}

}  // namespace halftoned
