// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `bi-level`, as docs/reference/bits.md defines it: each pixel on its own.

#include "halftone/cpu/definition/methods.h"

namespace halftoned {

void DefineBiLevel(const KernelJob& job) {
  for (int32_t i = 0; i < job.gray.rows; ++i) {
    std::byte* bits = EmptyBits(job, i);
    for (int32_t j = 0; j < job.page.width(); ++j) {
      PutSample(bits, j, 1, CurvedValue(job, i, j) > kWhite / 2);
    }
  }
}

}  // namespace halftoned
