// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/cpu/lent_memory.h"

#include <new>
#include <string>
#include <utility>

namespace halftoned {

LentMemory::LentMemory(const ValidOrder& order, size_t bit_bytes_per_row,
                       size_t rooms)
    : of_caller_(order->memory),
      gray_bytes_(order.gray_bytes_per_row() *
                  static_cast<size_t>(order.rows_per_band())),
      bit_bytes_(bit_bytes_per_row *
                 static_cast<size_t>(order.rows_per_band())) {
  free_.reserve(rooms);
}

Result<BandMemory> LentMemory::Take() {
  if (of_caller_) return of_caller_();
  if (free_.empty()) {
    Bytes gray(new (std::nothrow) std::byte[gray_bytes_]);
    Bytes bits(bit_bytes_ ? new (std::nothrow) std::byte[bit_bytes_] : nullptr);
    if (!gray || (bit_bytes_ && !bits)) {
      return Unavailable("out of memory: a band takes " +
                         std::to_string(gray_bytes_ + bit_bytes_) + " bytes");
    }
    free_.push_back({gray.get(), bits.get()});
    own_.push_back(std::move(gray));
    own_.push_back(std::move(bits));
  }
  const BandMemory memory = free_.back();
  free_.pop_back();
  return memory;
}

void LentMemory::GiveBack(const BandMemory& memory) {
  if (!of_caller_) free_.push_back(memory);
}

}  // namespace halftoned
