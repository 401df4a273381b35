// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bits for the pure pixels of a row, of both kinds (pure_bits.h), and
// operations on rows of bits, word by word.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "halftone/cpu/simd/bits/pure_bits.h"
#include "halftone/page/page.h"

namespace halftoned {

// Owns the bits; at first, none is set.
class RowBits {
 public:
  explicit RowBits(const Page& page)
      : bits_(2 * ((static_cast<size_t>(page.width()) + 63) / 64 + 2)) {}

  simd::PureRow row() {
    return {bits_.data() + 1, bits_.data() + bits_.size() / 2 + 1};
  }
  void Clear() {
    std::ranges::fill(bits_, 0);
    kinds = {};
  }

  simd::PureKinds kinds{};

 private:
  std::vector<uint64_t> bits_;
};

// A word of `bits`, which has a word before and one after, widened by `reach`
// columns in steps of `step`.
inline uint64_t Widened(const uint64_t* bits, size_t reach, size_t step) {
  const uint64_t here = bits[0];
  uint64_t all = here;
  if ((bits[-1] | here | bits[1]) == 0) return 0;
  for (size_t by = step; by <= reach; by += step) {
    all |= here << by | bits[-1] >> (64 - by);
    all |= here >> by | bits[1] << (64 - by);
  }
  return all;
}

// Whether a gray pixel of a row may have black and white beside it.
inline bool MaySnap(const simd::PureKinds& above, const simd::PureKinds& here,
                    const simd::PureKinds& below) {
  return here.gray && (above.black || here.black || below.black) &&
         (above.white || here.white || below.white);
}

}  // namespace halftoned
