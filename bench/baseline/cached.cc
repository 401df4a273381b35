// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One error row, read and overwritten from left to right. Three of the four
// neighbours are in registers; only the error above right is read from memory,
// and one error is written: two accesses per pixel.

#include "bench/baseline/cached.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace halftoned {
namespace {

template <Depth depth>
int ValueAt(const std::byte* row, int32_t column, const ToneCurve& curve) {
  if constexpr (depth == Depth::k8) {
    return curve.At8(std::to_integer<uint8_t>(row[column]));
  } else {
    uint16_t a;
    std::memcpy(&a, row + 2 * static_cast<size_t>(column), sizeof(a));
    return curve.At16(a);
  }
}

struct Quantised {
  int error;
  unsigned sample;
};

// This is on the dependency chain from one error to the next. So two levels
// need neither a branch, which noise would mispredict, nor a table.
template <int level_count>
Quantised Quantise(int s) {
  constexpr Levels levels = Levels::ForCount(level_count);
  if constexpr (level_count == 2) {
    const int is_black = (s - kWhite / 2 - 1) >> 31;  // 0 or -1
    return {s - (kWhite & ~is_black), static_cast<unsigned>(1 + is_black)};
  } else {
    int k = 0;
    for (int i = 0; i < level_count - 1; ++i) k += s > levels.midpoint[i];
    return {s - levels.value[k], levels.sample[k]};
  }
}

template <Depth depth, int level_count>
void CollectRow(const std::byte* gray, std::byte* bits, int16_t* errors,
                int32_t width, const ToneCurve& curve) {
  constexpr Levels levels = Levels::ForCount(level_count);
  constexpr int32_t samples_per_byte = 8 / levels.bits_per_sample;
  int left = 0;
  int above_left = 0;
  int above = errors[0];
  unsigned packed = 0;
  for (int32_t j = 0; j < width; ++j) {
    const int above_right = j + 1 < width ? errors[j + 1] : 0;
    const int from_above = above_left + 5 * above + 3 * above_right + 8;
    const int s =
        ValueAt<depth>(gray, j, curve) + ((7 * left + from_above) >> 4);
    const auto [error, sample] = Quantise<level_count>(s);
    left = error;
    errors[j] = static_cast<int16_t>(left);
    packed = packed << levels.bits_per_sample | sample;
    if (j % samples_per_byte == samples_per_byte - 1) {
      bits[j / samples_per_byte] = static_cast<std::byte>(packed);
    }
    above_left = above;
    above = above_right;
  }
  if (const int32_t rest = width % samples_per_byte; rest != 0) {
    packed <<= (samples_per_byte - rest) * levels.bits_per_sample;
    bits[width / samples_per_byte] = static_cast<std::byte>(packed);
  }
}

template <Depth depth, int level_count>
void Collect(const KernelJob& job) {
  for (int32_t i = 0; i < job.gray.rows; ++i) {
    CollectRow<depth, level_count>(job.gray.row(i), job.bits.row(i),
                                   job.carry.plane(0).data(), job.page.width(),
                                   job.recipe.curve());
  }
}

template <Depth depth>
void CollectAt(const KernelJob& job) {
  switch (job.recipe.levels().count) {
    case 2:
      return Collect<depth, 2>(job);
    case 4:
      return Collect<depth, 4>(job);
    case 8:
      return Collect<depth, 8>(job);
    case 16:
      return Collect<depth, 16>(job);
  }
}

}  // namespace

void HalftoneCached(const KernelJob& job) {
  if (job.page.depth() == Depth::k8) {
    CollectAt<Depth::k8>(job);
  } else {
    CollectAt<Depth::k16>(job);
  }
}

}  // namespace halftoned
