// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a row hands to the row below it, as that needs it: of each plane one
// entry a column. There is one line a page, rewritten in place by strip after
// strip: a strip's first row reads an entry, and later its last row writes it.

#ifndef HALFTONED_HALFTONE_SIMD_LINE_H_
#define HALFTONED_HALFTONE_SIMD_LINE_H_

#include <cstdint>
#include <span>
#include <vector>

#include "halftone/carry.h"
#include "halftone/recipe.h"

namespace halftoned::simd {

// One plane of a line and of the carry that it comes from.
struct LinePlane {
  // Entry x + 1 is for the pixel in column x, and complete when the row above
  // it has finished column x + lead. What is left of a row behind its last
  // column, or before its first, has `outside`.
  int lead;
  uint16_t outside;
  // A state is stored as scale · state + offset, `state_lag` columns behind the
  // column that is decided.
  int state_lag;
  int scale;
  int offset;
};

class Line {
 public:
  Line(const Recipe& recipe, int32_t width);

  // carry: the state of the row above.
  void Set(const Carry& carry);

  std::span<const LinePlane> planes() const { return planes_; }
  // Entry 0. A block's worth of entries before it and two behind the last may
  // be read, and behind the last be written.
  uint16_t* entries(size_t plane) { return stores_[plane].data() + kPad; }

 private:
  static constexpr int32_t kPad = 192;

  void SetWeighted(std::span<const int16_t> errors);
  void SetPlain(size_t plane, std::span<const int16_t> states);
  void SetDistances(std::span<const int16_t> distances, int near, int across);

  const Algorithm algorithm_;
  const int32_t width_;
  std::span<const LinePlane> planes_;
  std::vector<std::vector<uint16_t>> stores_;
};

}  // namespace halftoned::simd

#endif  // HALFTONED_HALFTONE_SIMD_LINE_H_
