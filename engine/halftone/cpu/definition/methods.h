// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the definitions share: reading pixels, writing samples, sums of errors.
// Each definition has a file of its own; methods.cc lists them. They are
// written to be read.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

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

// The current row of a plane and the row above it, which starts as the carry
// and is written back to it at the end.
class StateRows {
 public:
  // `plane` outlives this.
  StateRows(std::span<int16_t> plane, int outside)
      : carried_(plane),
        outside_(outside),
        above_(plane.begin(), plane.end()),
        row_(plane.begin(), plane.end()) {}

  int Above(int32_t column) const { return At(above_, column); }
  int Left(int32_t column) const { return At(row_, column - 1); }
  void Set(int32_t column, int state) {
    row_[static_cast<size_t>(column)] = static_cast<int16_t>(state);
  }
  void EndRow() { above_ = row_; }
  void Keep() { std::copy(above_.begin(), above_.end(), carried_.begin()); }

 private:
  int At(const std::vector<int16_t>& row, int32_t column) const {
    const bool is_inside =
        column >= 0 && column < static_cast<int32_t>(row.size());
    return is_inside ? row[static_cast<size_t>(column)] : outside_;
  }

  std::span<int16_t> carried_;
  int outside_;
  std::vector<int16_t> above_;
  std::vector<int16_t> row_;
};

// Sums of the errors that pixels of this row and the next have been given.
class ErrorSums {
 public:
  // `plane` outlives this.
  explicit ErrorSums(std::span<int16_t> plane);

  int At(int32_t column) const { return row_[static_cast<size_t>(column)]; }
  void Spread(int32_t column, int error, const ErrorWeights& weights);
  void EndRow();
  void Keep();

 private:
  void Add(std::vector<int>& row, int32_t column, int part);

  std::span<int16_t> carried_;
  std::vector<int> row_;
  std::vector<int> below_;
};

}  // namespace halftoned
