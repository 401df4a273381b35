// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the definitions share: reading pixels, writing samples, sums of errors.
// Each definition has a file of its own; methods.cc lists them. They are
// written to be read.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "halftone/cpu/kernel.h"
#include "halftone/page/error_sums.h"

namespace halftoned {

int CurvedValue(const KernelJob& job, int32_t row, int32_t column);

// Whether a pixel of this value is printed as it is, without error.
inline bool IsPure(const Recipe& recipe, int v) {
  return recipe.is_pure() && (v == 0 || v == kWhite);
}

// Row `i` of the job's bits, set to 0.
std::byte* EmptyBits(const KernelJob& job, int32_t i);

// Packs `sample` into a row whose bits there are still 0.
void PutSample(std::byte* row, int32_t column, int bits, int sample);

// A plane of states: each row reads the states of the row above, and replaces
// them by its own. It needs no other memory, because small machines run this.
class StateRows {
 public:
  // `plane` outlives this.
  StateRows(std::span<int16_t> plane, int outside)
      : plane_(plane), outside_(outside), above_left_(outside) {}

  // column: that of the next Set, or the one before or after it.
  int Above(int32_t column) const {
    return column < next_ ? above_left_ : At(column);
  }
  // column: that of the next Set.
  int Left(int32_t column) const { return At(column - 1); }
  // Once for each pixel of a row, from left to right.
  void Set(int32_t column, int state) {
    int16_t& own = plane_[static_cast<size_t>(column)];
    above_left_ = std::exchange(own, static_cast<int16_t>(state));
    next_ = column + 1;
  }
  void EndRow() {
    above_left_ = outside_;
    next_ = 0;
  }

 private:
  int At(int32_t column) const {
    const bool is_inside =
        column >= 0 && column < static_cast<int32_t>(plane_.size());
    return is_inside ? plane_[static_cast<size_t>(column)] : outside_;
  }

  const std::span<int16_t> plane_;
  const int outside_;
  int above_left_;  // of the state that the last Set replaced
  int32_t next_ = 0;
};

// A plane of the sums of errors that pixels have received, used in the same
// way.
class ErrorSums {
 public:
  // `plane` outlives this.
  explicit ErrorSums(std::span<int16_t> plane) : plane_(plane) {}

  // column: that of the next Spread.
  int At(int32_t column) const {
    return plane_[static_cast<size_t>(column)] + right_;
  }
  // Once for each pixel of a row, from left to right.
  void Spread(int32_t column, int error, const ErrorWeights& weights);
  void EndRow();

 private:
  // Moves on by a column: the sum of the first pixel below is complete.
  void Complete(int32_t column);

  const std::span<int16_t> plane_;
  int right_ = 0;
  // Sums in the row below: two columns before the next column, one before it,
  // and at it.
  std::array<int, 3> below_{};
};

}  // namespace halftoned
