// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers that a row hands to the row below, in the form that the latter
// needs: one entry per column and plane. A page has one line, which each strip
// rewrites in place: its first row reads an entry, and later its last row
// writes it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "halftone/page/carry.h"

namespace halftoned::simd {

// One plane of a line and of the carry that it comes from.
struct LinePlane {
  // Entry x + 1 is for the pixel in column x, and complete when the row above
  // it has finished column x + lead. Entries before the first column and after
  // the last one hold `outside`.
  int lead;
  uint16_t outside;
  // A state is stored as scale · state + offset, `state_lag` columns behind the
  // column that is decided.
  int state_lag;
  int scale;
  int offset;
  // Makes the entries of the row below, from entry 1 on, from a carry's plane.
  void (*set)(std::span<const int16_t> states, uint16_t* entries);
  // Null: the last row's states are stored. Otherwise they follow from a
  // block's entries; `states` has two columns before the first.
  void (*derive)(const uint16_t* entries, int16_t* states) = nullptr;
};

// The line of a method.
struct LineKind {
  std::span<const LinePlane> planes;
};
extern const LineKind kErrorsLine;  // of Floyd–Steinberg
extern const LineKind kFineLine;
extern const LineKind kFineOnPaperLine;
extern const LineKind kClusteredLine;
extern const LineKind kClassicLine;

class Line {
 public:
  Line(const LineKind& kind, int32_t width);

  // carry: the state of the row above.
  void Set(const Carry& carry);

  // The row above is pure in these columns and beside them.
  void SetPure(int32_t first, int32_t end);

  std::span<const LinePlane> planes() const { return planes_; }
  // Entry 0. A block of entries before it and two blocks after the last may be
  // read; those after the last may be written.
  uint16_t* entries(size_t plane) { return stores_[plane].data() + kPad; }

 private:
  static constexpr int32_t kPad = 192;

  const std::span<const LinePlane> planes_;
  std::vector<std::vector<uint16_t>> stores_;
};

}  // namespace halftoned::simd
