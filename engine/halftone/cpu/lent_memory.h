// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory of the bands that a session lends: the caller's, or the session's
// own. The memory that was used last is used next, because it is still in the
// caches; memory that is never used is never touched.

#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "base/result.h"
#include "halftone/run/valid_order.h"

namespace halftoned {

class LentMemory {
 public:
  // bit_bytes_per_row: 0 if the session does not allocate bits; these are then
  // null, except in the caller's memory. rooms: the maximum number taken at the
  // same time.
  LentMemory(const ValidOrder& order, size_t bit_bytes_per_row, size_t rooms);

  // For the next band.
  Result<BandMemory> Take();
  // The caller no longer reads its band.
  void GiveBack(const BandMemory& memory);

 private:
  // Uninitialized, so that a short page touches little of a tall room.
  using Bytes = std::unique_ptr<std::byte[]>;

  const std::function<BandMemory()> of_caller_;
  const size_t gray_bytes_;
  const size_t bit_bytes_;
  std::vector<Bytes> own_;
  std::vector<BandMemory> free_;  // of own_
};

}  // namespace halftoned
