// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A band of a page of `best` that was submitted, and its answer: the rows that
// it finishes.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "base/result.h"
#include "halftone/cpu/two_pass/two_pass_rows.h"
#include "halftone/page/carry.h"
#include "halftone/run/session.h"

namespace halftoned {

struct TwoPassBand {
  // done: the first row of the answer, and the row below its last one. If
  // `memory` has no bits, the band allocates memory for them.
  static Result<TwoPassBand> Make(const BandMemory& memory, int64_t first_row,
                                  int64_t end_row,
                                  std::pair<int64_t, int64_t> done, bool last,
                                  size_t bit_bytes);

  const std::byte* GrayRow(int64_t row, size_t gray_bytes) const {
    return memory.gray + static_cast<size_t>(row - first_row) * gray_bytes;
  }
  // Copies rows of bits that are finished to the answer.
  void Fill(const TwoPassRows& rows, int64_t begin, int64_t end);

  BandMemory memory;
  int64_t first_row;
  int64_t end_row;
  // Its answer.
  int64_t first_done;
  int64_t end_done;
  bool last;
  std::unique_ptr<std::byte[]> own_bits;
  std::byte* bits;
  std::shared_ptr<const Carry> below;
};

}  // namespace halftoned
