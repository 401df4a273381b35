// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Some columns of a picture that is being scaled. Rows of the old picture are
// scaled sideways and kept in a ring, as light; rows of the new picture are
// made from those. Strips know nothing of each other, so each may have a
// thread.
//
// Each sum adds its terms in the same order on every machine: eight rows, or
// sixteen columns, are the lanes.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "halftone/page/band.h"
#include "print/image/scale/axis_filter.h"
#include "print/image/scale/light_table.h"

namespace halftoned {

class ColumnStrip {
 public:
  static constexpr int kLanes = 8;  // rows that are scaled sideways together

  // One sample of each pixel.
  struct Channel {
    size_t first = 0;  // in the pixel
    size_t count = 1;  // samples per pixel
  };

  // The new columns from `first` on. `table` outlives this.
  ColumnStrip(const AxisFilter& across, int64_t first, int64_t columns,
              int64_t ring_rows, const LightTable& table, Channel channel);

  // Takes rows of the old picture, from this number on.
  template <typename Sample>
  void Add(const GrayBand& rows, int64_t first_row);

  // Makes a row of the new picture, in this strip's part of `row`, from old
  // rows that are still in the ring.
  template <typename Sample>
  void Make(const Taps& down, Sample* row);

 private:
  struct Column {
    int64_t first;   // in lanes_
    size_t weights;  // where they begin in weights_
    size_t taps;
  };

  template <typename Sample>
  void Decode(const GrayBand& rows, int32_t first);
  void ScaleAcross(int64_t first_row, int32_t rows);
  void SumAcross(int64_t first_row, int32_t rows);
  void SumAcrossAvx2(int64_t first_row, int32_t rows);
  template <typename Sample>
  void SumDown(const std::vector<float>& weights, Sample* row) const;
  template <typename Sample>
  void SumDownAvx2(const std::vector<float>& weights, Sample* row) const;
  void SumRows(const std::vector<float>& weights, size_t column,
               float* sums) const;
  const float* RingRow(int64_t row) const {
    return &ring_[static_cast<size_t>(row % ring_rows_) * pitch_];
  }

  const LightTable& table_;
  const Channel channel_;
  const int64_t first_;
  const int64_t ring_rows_;
  size_t pitch_;  // of the ring, in whole blocks of columns
  int64_t first_old_ = 0;
  size_t old_columns_ = 0;
  std::vector<Column> columns_;
  std::vector<float> weights_;
  std::vector<float> lanes_;  // by column, kLanes rows each
  std::vector<float> ring_;
  std::vector<const float*> rows_;  // of the ring, that make the next row
};

}  // namespace halftoned
