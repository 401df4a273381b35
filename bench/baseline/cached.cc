// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One error row, read and overwritten from left to right. Three of the four
// neighbors are in registers; only the error above right is read from memory,
// and one error is written: two accesses per pixel.

#include "bench/baseline/cached.h"

#include <cstddef>
#include <cstdint>

namespace halftoned {
namespace {

void CollectRow(const std::byte* gray, std::byte* bits, int16_t* errors,
                int32_t width, const ToneCurve& curve) {
  int left = 0;
  int above_left = 0;
  int above = errors[0];
  unsigned packed = 0;
  for (int32_t j = 0; j < width; ++j) {
    const int above_right = j + 1 < width ? errors[j + 1] : 0;
    const int from_above = above_left + 5 * above + 3 * above_right + 8;
    const int s = curve.At8(std::to_integer<uint8_t>(gray[j])) +
                  ((7 * left + from_above) >> 4);
    // On the dependency chain from one error to the next: no branch, which
    // noise would mispredict.
    const int is_black = (s - kWhite / 2 - 1) >> 31;  // 0 or -1
    left = s - (kWhite & ~is_black);
    errors[j] = static_cast<int16_t>(left);
    packed = packed << 1 | static_cast<unsigned>(1 + is_black);
    if (j % 8 == 7) bits[j / 8] = static_cast<std::byte>(packed);
    above_left = above;
    above = above_right;
  }
  if (const int32_t rest = width % 8; rest != 0) {
    bits[width / 8] = static_cast<std::byte>(packed << (8 - rest));
  }
}

}  // namespace

void HalftoneCached(const KernelJob& job) {
  for (int32_t i = 0; i < job.gray.rows; ++i) {
    CollectRow(job.gray.row(i), job.bits.row(i), job.carry.plane(0).data(),
               job.page.width(), job.recipe.curve());
  }
}

}  // namespace halftoned
