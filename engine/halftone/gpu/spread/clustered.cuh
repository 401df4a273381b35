// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `clustered`, in integers, as the definition says it. What is passed on beside
// sums is the state above a pixel and what the states above left and right say
// of its distance, 16 bits each.

#ifndef HALFTONED_HALFTONE_GPU_SPREAD_CLUSTERED_CUH_
#define HALFTONED_HALFTONE_GPU_SPREAD_CLUSTERED_CUH_

#include <cstdint>

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

// In a function, since nvcc names what is local to a file after its path.
inline __device__ const ClusterRows& ClusterRowsOnDevice() {
  static __device__ const ClusterRows rows = ClusterRows::Make();
  return rows;
}

class Clustered {
  static constexpr int kLeastState = 1 - kMaxClusterRows;

 public:
  static constexpr int kBits = 1;
  static constexpr int32_t kOutside = kClusteredOutsideWord;
  static constexpr uint32_t kSumMark = 0;

  // Of the method's parameters: which table, and ClusterShape.
  enum Own { kTable, kColumns, kRows, kMissing };

  struct Tables {
    ClusterRow rows[kFineRows];

    // By all threads of the block.
    __device__ void Fill(const Parameters& parameters) {
      const auto& from =
          ClusterRowsOnDevice().table[parameters.own.number[kTable]];
      for (int i = threadIdx.x; i < kFineRows; i += blockDim.x) {
        rows[i] = from[i];
      }
    }
  };

  __device__ Clustered(const Tables& tables, const Parameters& parameters,
                       int64_t)
      : rows_(tables.rows),
        columns_(parameters.own.number[kColumns]),
        first_state_(1 - parameters.own.number[kRows]),
        missing_(parameters.own.number[kMissing]) {}

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
            Pack(left + kLeastState, above + kLeastState, right + kLeastState)};
  }

  template <int slot>
  __device__ void Fetch(int32_t pixel) {
    fetched_[slot] = rows_[pixel >> kClusterRowShift];
  }

  template <int slot>
  __device__ void Step(int32_t pixel, const Passed& passed, uint32_t& packed) {
    const FineRow& row = fetched_[slot].row;
    const int v = pixel & kValueMask;
    const bool is_dark = (pixel & kDarkPixel) != 0;
    const bool is_tinted = (pixel & kTintedPixel) != 0;
    const int above = static_cast<int16_t>(passed.other);
    const int across = static_cast<int>(passed.other >> 16);
    const int distance =
        min(min(max(min(left_, above), 0) + kClusterNear, across), kClusterFar);
    const bool grows_down = above < 0;
    const bool grows = grows_down || columns_to_come_ > 0;
    const int shift =
        grows && is_tinted
            ? kClusterGrowth
            : row.lift +
                  min(row.gain * (distance - row.onset) >> 4, kClusterMaxShift);
    const bool is_pure = (pixel & kPurePixel) != 0;
    const int s =
        is_pure ? v : v + static_cast<int>(passed.sum) + sums_.right();
    const bool is_white = s + (is_dark ? shift : -shift) > kWhite / 2;
    packed = packed << 1 | static_cast<uint32_t>(is_white);
    int e = s - (is_white ? kWhite : 0);
    if (!is_tinted) e -= (e + 4) >> 3;
    sums_.Spread(
        e, {row.right, row.down_right, row.down_left, row.down_left_left});
    int state = Note(is_white == is_dark, grows_down, above, distance);
    if (is_pure) {
      columns_to_come_ = 0;
      state = kClusterFar;
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
           static_cast<uint32_t>(left_left_ - kLeastState) << 16;
  }

 private:
  static __device__ uint32_t Pack(int left, int above, int right) {
    const int across = max(min(left, right), 0) + kClusterAcross;
    return (static_cast<uint32_t>(above) & 0xFFFF) |
           static_cast<uint32_t>(across) << 16;
  }

  // Counts the columns that the cluster is still to have; returns the state.
  __device__ int Note(bool is_rare, bool grows_down, int above, int distance) {
    const int before = columns_to_come_ > 0 ? columns_to_come_ : columns_;
    columns_to_come_ = is_rare && !grows_down ? before - 1 : 0;
    if (!is_rare) return distance;
    if (grows_down) return above + 1;
    return first_state_ + (columns_to_come_ == 0 ? missing_ : 0);
  }

  const ClusterRow* const rows_;
  const int columns_, first_state_, missing_;
  ClusterRow fetched_[2];
  IntSums sums_;
  int columns_to_come_ = 0;
  // States of the pixels to the left.
  int left_ = kClusterFar, left_left_ = kClusterFar;
  int left_left_left_ = kClusterFar;
};

}  // namespace halftoned::cuda::spread

#endif  // HALFTONED_HALFTONE_GPU_SPREAD_CLUSTERED_CUH_
