// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `clustered`, in integers, like the definition. In addition to sums, a row
// passes down the state above a pixel, and the distance that the states above
// left and right give it, 16 bits each.

#pragma once

#include <cstdint>

#include "halftone/gpu/common/row_noise.cuh"
#include "halftone/gpu/spread/int_sums.cuh"
#include "halftone/gpu/spread/pixel.h"
#include "halftone/gpu/spread/wave_strip.cuh"
#include "halftone/page/clustered_table.h"
#include "halftone/page/recipe.h"

namespace halftoned::cuda::spread {

// A row of a table in 16 bytes.
struct alignas(16) ClusterRow {
  FineRow row;
  int16_t unused;
};

struct ClusterRows {
  static constexpr int kTables = static_cast<int>(kClusterTables.size());
  ClusterRow table[kTables][kFineRows];

  static consteval ClusterRows Make() {
    ClusterRows rows{};
    for (size_t table = 0; table < kTables; ++table) {
      for (size_t i = 0; i < kFineRows; ++i) {
        rows.table[table][i].row = kClusterTables[table][i];
      }
    }
    return rows;
  }
};

// In a function, because nvcc names file-local symbols after the file's path.
inline __device__ const ClusterRows& ClusterRowsOnDevice() {
  static __device__ const ClusterRows rows = ClusterRows::Make();
  return rows;
}

class Clustered {
 public:
  static constexpr int kBits = 1;
  static constexpr int32_t kOutside = kPurePixel;
  static constexpr uint32_t kSumMark = 0;

  // The method's parameters: which table, and ClusterShape.
  enum Own { kTable, kColumns, kRows, kMissing };

  struct Tables {
    ClusterRow rows[kFineRows];

    // Called by all threads of the block.
    __device__ void Fill(const Parameters& parameters) {
      const auto& from =
          ClusterRowsOnDevice().table[parameters.own.number[kTable]];
      for (int i = threadIdx.x; i < kFineRows; i += blockDim.x) {
        rows[i] = from[i];
      }
    }
  };

  // row: on the page. Steps begin LagOf(lane) columns left of it.
  __device__ Clustered(const Tables& tables, const Parameters& parameters,
                       int64_t row)
      : rows_(tables.rows),
        columns_(parameters.own.number[kColumns]),
        rows_below_(parameters.own.number[kRows] - 1),
        missing_(parameters.own.number[kMissing]),
        noise_(row, LagOf(static_cast<int>(threadIdx.x % kLanes))) {}

  static OwnParameters ParametersOf(const Recipe& recipe) {
    const int size = recipe.parameter(Recipe::kClusterSize);
    const ClusterShape shape = ClusterShapeOf(size);
    OwnParameters own{};
    own.number[kTable] = static_cast<int32_t>(ClusterTableOf(size));
    own.number[kColumns] = shape.columns;
    own.number[kRows] = shape.rows;
    own.number[kMissing] = shape.missing;
    return own;
  }

  static __device__ Passed Nothing() {
    return {0, Pack(kClusterFar, kClusterFar, kClusterFar)};
  }

  static __device__ Passed Enter(int sum, int left, int above, int right) {
    return {static_cast<uint32_t>(sum - kMaxErrorSum),
            Pack(left + kLeastClusterState, above + kLeastClusterState,
                 right + kLeastClusterState)};
  }

  template <int slot>
  __device__ void Fetch(int32_t pixel) {
    fetched_[slot] = rows_[pixel >> kClusterRowShift];
  }

  template <int slot>
  __device__ void Step(int32_t pixel, const Passed& passed, uint32_t& packed) {
    const FineRow& row = fetched_[slot].row;
    const int v = pixel & kValueMask;
    const bool is_tinted = (pixel & kTintedPixel) != 0;
    const int above = static_cast<int16_t>(passed.other);
    const int across = static_cast<int>(passed.other >> 16);
    const int distance =
        min(min(max(min(left_, above), 0) + kClusterNear, across), kClusterFar);
    const bool grows_down = above < 0;
    const bool grows = (grows_down || columns_to_come_ != 0) && is_tinted;
    const int noise = noise_.Next(kClusterNoise);
    const bool grows_white =
        grows_down ? (above & 1) != 0 : columns_to_come_ > 0;
    const bool white_is_rare = grows ? grows_white : v + noise < kWhite / 2;
    const int shift =
        grows ? kClusterGrowth
              : row.lift + min(row.gain * (distance - row.onset) >> 4,
                               kClusterMaxShift);
    const bool is_pure = (pixel & kPurePixel) != 0;
    const int s =
        is_pure ? v : v + static_cast<int>(passed.sum) + sums_.right();
    const bool is_white = s + (white_is_rare ? shift : -shift) > kWhite / 2;
    packed = packed << 1 | static_cast<uint32_t>(is_white);
    int e = s - (is_white ? kWhite : 0);
    if (!is_tinted) e -= (e + 4) >> 3;
    sums_.Spread(
        e, {row.right, row.down_right, row.down_left, row.down_left_left});
    int state = is_pure ? int{kClusterFar} : distance;
    if (is_white == white_is_rare && !is_pure) {
      state = AddDot(is_white, grows_down, above);
    } else {
      columns_to_come_ = 0;
    }
    left_left_left_ = left_left_;
    left_left_ = left_;
    left_ = state;
  }

  __device__ uint32_t other() const {
    return Pack(left_left_left_, left_left_, left_);
  }
  __device__ uint32_t sum() const {
    return static_cast<uint32_t>(sums_.complete());
  }
  __device__ uint32_t word() const {
    return (sum() + kMaxErrorSum) |
           static_cast<uint32_t>(left_left_ - kLeastClusterState) << 16;
  }

 private:
  static __device__ uint32_t Pack(int left, int above, int right) {
    const int across = max(min(left, right), 0) + kClusterAcross;
    return (static_cast<uint32_t>(above) & 0xFFFF) |
           static_cast<uint32_t>(across) << 16;
  }

  // Counts the columns that the cluster still needs; returns the state, as in
  // clustered_table.h.
  __device__ int AddDot(bool is_white, bool grows_down, int above) {
    const int before = columns_to_come_ == 0 ? columns_ : abs(columns_to_come_);
    const int to_come = grows_down ? 0 : before - 1;
    columns_to_come_ = is_white ? to_come : -to_come;
    if (grows_down) return min(above + 2, 0);
    const int below = rows_below_ - (to_come == 0 ? missing_ : 0);
    return min(-2 * below + (is_white ? 1 : 0), 0);
  }

  const ClusterRow* const rows_;
  const int columns_, rows_below_, missing_;
  RowNoise noise_;
  ClusterRow fetched_[2];
  IntSums sums_;
  int columns_to_come_ = 0;  // of a black cluster times -1
  // States of the pixels to the left.
  int left_ = kClusterFar, left_left_ = kClusterFar;
  int left_left_left_ = kClusterFar;
};

}  // namespace halftoned::cuda::spread
