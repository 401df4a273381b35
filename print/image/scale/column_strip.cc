// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/image/scale/column_strip.h"

#include <algorithm>
#include <array>

namespace halftoned {
namespace {

constexpr size_t kBlock = 16;  // columns that are summed together

// AVX2 without FMA, which rounds less often and would change the sums.
#ifdef __x86_64__
#define HALFTONED_FOR_AVX2 [[gnu::target("avx2")]]
const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
#else
#define HALFTONED_FOR_AVX2
constexpr bool has_avx2 = false;
#endif

}  // namespace

ColumnStrip::ColumnStrip(const AxisFilter& across, int64_t first,
                         int64_t columns, int64_t ring_rows,
                         const LightTable& table, Channel channel)
    : table_(table),
      channel_(channel),
      first_(first),
      ring_rows_(ring_rows),
      pitch_((size_t(columns) + kBlock - 1) / kBlock * kBlock) {
  Taps taps;
  int64_t end = 0;
  for (int64_t i = first; i < first + columns; ++i) {
    across.Find(i, taps);
    if (i == first) first_old_ = taps.first;
    columns_.push_back(
        {taps.first - first_old_, weights_.size(), taps.weights.size()});
    weights_.insert(weights_.end(), taps.weights.begin(), taps.weights.end());
    end = std::max(end, taps.first + int64_t(taps.weights.size()));
  }
  old_columns_ = static_cast<size_t>(end - first_old_);
  lanes_.resize(old_columns_ * kLanes);
  ring_.resize(static_cast<size_t>(ring_rows) * pitch_);
}

template <typename Sample>
void ColumnStrip::Add(const GrayBand& rows, int64_t first_row) {
  for (int32_t i = 0; i < rows.rows; i += kLanes) {
    Decode<Sample>(rows, i);
    ScaleAcross(first_row + i, std::min(kLanes, rows.rows - i));
  }
}

// Repeats the last row beyond the end.
template <typename Sample>
void ColumnStrip::Decode(const GrayBand& rows, int32_t first) {
  std::array<const Sample*, kLanes> from;
  for (int i = 0; i < kLanes; ++i) {
    from[size_t(i)] = reinterpret_cast<const Sample*>(
                          rows.row(std::min(first + i, rows.rows - 1))) +
                      size_t(first_old_) * channel_.count + channel_.first;
  }
  const float* light = table_.light();
  float* to = lanes_.data();
  for (size_t x = 0; x < old_columns_; ++x) {
    const size_t at = x * channel_.count;
    for (size_t i = 0; i < kLanes; ++i) *to++ = light[from[i][at]];
  }
}

[[gnu::always_inline]] inline void ColumnStrip::SumAcross(int64_t first_row,
                                                          int32_t rows) {
  std::array<float*, kLanes> to;
  for (int32_t i = 0; i < kLanes; ++i) {
    const int64_t row = first_row + std::min(i, rows - 1);
    to[size_t(i)] = &ring_[size_t(row % ring_rows_) * pitch_];
  }
  for (size_t x = 0; x < columns_.size(); ++x) {
    const Column& column = columns_[x];
    const float* in = &lanes_[size_t(column.first) * kLanes];
    const float* weights = &weights_[column.weights];
    float sums[kLanes] = {};
    for (size_t k = 0; k < column.taps; ++k) {
      for (int i = 0; i < kLanes; ++i) sums[i] += weights[k] * *in++;
    }
    // Repeated rows have the same sums.
    for (size_t i = 0; i < kLanes; ++i) to[i][x] = sums[i];
  }
}

HALFTONED_FOR_AVX2 void ColumnStrip::SumAcrossAvx2(int64_t first_row,
                                                   int32_t rows) {
  SumAcross(first_row, rows);
}

void ColumnStrip::ScaleAcross(int64_t first_row, int32_t rows) {
  has_avx2 ? SumAcrossAvx2(first_row, rows) : SumAcross(first_row, rows);
}

// kBlock columns of a new row.
[[gnu::always_inline]] inline void ColumnStrip::SumRows(
    const std::vector<float>& weights, size_t column, float* sums) const {
  float block[kBlock] = {};
  for (size_t k = 0; k < weights.size(); ++k) {
    const float* in = rows_[k] + column;
    for (size_t i = 0; i < kBlock; ++i) block[i] += weights[k] * in[i];
  }
  std::copy_n(block, kBlock, sums);
}

template <typename Sample>
[[gnu::always_inline]] inline void ColumnStrip::SumDown(
    const std::vector<float>& weights, Sample* row) const {
  float sums[kBlock];
  for (size_t x = 0; x < columns_.size(); x += kBlock) {
    SumRows(weights, x, sums);
    const size_t columns = std::min(kBlock, columns_.size() - x);
    Sample* to = row + (size_t(first_) + x) * channel_.count + channel_.first;
    for (size_t i = 0; i < columns; ++i) {
      to[i * channel_.count] = table_.CodeOf<Sample>(sums[i]);
    }
  }
}

template <typename Sample>
HALFTONED_FOR_AVX2 void ColumnStrip::SumDownAvx2(
    const std::vector<float>& weights, Sample* row) const {
  SumDown(weights, row);
}

template <typename Sample>
void ColumnStrip::Make(const Taps& down, Sample* row) {
  // Once per row, since a division takes as long as a block of columns.
  rows_.clear();
  for (size_t k = 0; k < down.weights.size(); ++k) {
    rows_.push_back(RingRow(down.first + static_cast<int64_t>(k)));
  }
  has_avx2 ? SumDownAvx2(down.weights, row) : SumDown(down.weights, row);
}

template void ColumnStrip::Add<uint8_t>(const GrayBand&, int64_t);
template void ColumnStrip::Add<uint16_t>(const GrayBand&, int64_t);
template void ColumnStrip::Make<uint8_t>(const Taps&, uint8_t*);
template void ColumnStrip::Make<uint16_t>(const Taps&, uint16_t*);

}  // namespace halftoned
