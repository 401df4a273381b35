// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a row hands to the row below it, weighted as that needs it: entry j is
// 3 f[j] + 5 f[j-1] + f[j-2] with f = e + kBias, for j = 1 … width; outside the
// page e is 0. There is one line a page, rewritten in place by strip after
// strip: a strip's first row reads an entry, and later its last row writes it.

#ifndef HALFTONED_HALFTONE_SIMD_ERROR_LINE_H_
#define HALFTONED_HALFTONE_SIMD_ERROR_LINE_H_

#include <cstdint>
#include <span>
#include <vector>

namespace halftoned::simd {

class ErrorLine {
 public:
  explicit ErrorLine(int32_t width);

  // errors: of the row above, one a column.
  void Set(std::span<const int16_t> errors);

  int32_t width() const { return width_; }
  // Entry 0. A block's worth of entries before it and two behind the last may
  // be read, and behind the last be written.
  uint16_t* entries() { return store_.data() + kPad; }

 private:
  static constexpr int32_t kPad = 192;

  int32_t width_;
  std::vector<uint16_t> store_;
};

}  // namespace halftoned::simd

#endif  // HALFTONED_HALFTONE_SIMD_ERROR_LINE_H_
