// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `screen` and `blue-noise`, as docs/reference/bits.md defines them: each pixel
// is decided on its own.

#include "halftone/cpu/definition/methods.h"

namespace halftoned {

void DefineScreen(const KernelJob& job) {
  const Screen& screen = job.recipe.screen();
  const Levels& levels = job.recipe.levels();
  for (int32_t i = 0; i < job.gray.rows; ++i) {
    std::byte* bits = EmptyBits(job, i);
    for (int32_t j = 0; j < job.page.width(); ++j) {
      const int offset = screen.OffsetAt(job.carry.next_row() + i, j);
      const int scaled = (levels.count - 1) * CurvedValue(job, i, j);
      const auto level = static_cast<size_t>((scaled + offset) / kWhite);
      PutSample(bits, j, levels.bits_per_sample, levels.sample[level]);
    }
  }
}

void DefineBlueNoise(const KernelJob& job) { DefineScreen(job); }

}  // namespace halftoned
