// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The definition of every algorithm, one function a file, and what they share:
// pixels in, samples out, sums of errors. All of it is written to be read.

#ifndef HALFTONED_HALFTONE_DEFINITION_METHODS_H_
#define HALFTONED_HALFTONE_DEFINITION_METHODS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "halftone/clustered_table.h"
#include "halftone/error_sums.h"
#include "halftone/kernel.h"

namespace halftoned {

void DefineFloydSteinberg(const KernelJob& job);
void DefineFine(const KernelJob& job);
void DefineClustered(const KernelJob& job);
// With another table than the size's own, to find that one.
void DefineClusteredBy(const ToneTable& table, const KernelJob& job);
void DefinePrinterModel(const KernelJob& job);
void DefineBiLevel(const KernelJob& job);

int CurvedValue(const KernelJob& job, int32_t row, int32_t column);

// Whether a pixel of this value is printed as it is, without any error.
inline bool IsPure(const Recipe& recipe, int v) {
  return recipe.is_pure() && (v == 0 || v == kWhite);
}

// Row `i` of the job's bits, all 0.
std::byte* EmptyBits(const KernelJob& job, int32_t i);

// Packs `sample` into a row whose bits there are still 0.
void PutSample(std::byte* row, int32_t column, int bits, int sample);

// The row of a plane that is being made, and the one above it, which is the
// carry's at first and at last.
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

// What pixels have been given of others' errors, of this row and the next.
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

#endif  // HALFTONED_HALFTONE_DEFINITION_METHODS_H_
