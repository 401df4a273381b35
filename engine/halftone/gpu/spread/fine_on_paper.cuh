// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `fine` with print feedback, in integers, like the definition. In addition to
// sums, a row passes down the distance that it leaves, and the bits above and
// above left.

#pragma once

#include <cstdint>

#include "halftone/gpu/common/row_noise.cuh"
#include "halftone/gpu/spread/int_sums.cuh"
#include "halftone/gpu/spread/pixel.h"
#include "halftone/gpu/spread/wave_strip.cuh"
#include "halftone/page/feedback_table.h"
#include "halftone/page/fine_table.h"
#include "halftone/page/print_feedback.h"
#include "halftone/page/recipe.h"

namespace halftoned::cuda::spread {

// A row of the table in 16 bytes, and the numbers of tones.
struct alignas(16) PaperRow {
  FineRow row;
  int16_t unused;
};

struct PaperTables {
  PaperRow rows[kFineRows];
  FeedbackRow tones[256];

  static consteval PaperTables Make() {
    PaperTables tables{};
    for (size_t i = 0; i < kFineRows; ++i) tables.rows[i].row = kFineTable[i];
    for (size_t a = 0; a < 256; ++a) tables.tones[a] = kFeedbackTable[a];
    return tables;
  }
};

// In a function, because nvcc names file-local symbols after the file's path.
inline __device__ const PaperTables& PaperTablesOnDevice() {
  static __device__ const PaperTables tables = PaperTables::Make();
  return tables;
}

class FineOnPaper {
 public:
  static constexpr int kBits = 1;
  static constexpr int32_t kOutside =
      static_cast<int32_t>(kPurePixel | kPaperNoBias);
  static constexpr uint32_t kSumMark = 0;

  struct Tables {
    PaperRow rows[kFineRows];
    uint16_t tones[256];  // strength, and noise in the upper byte

    // Called by all threads of the block.
    __device__ void Fill(const Parameters& parameters) {
      const PaperTables& from = PaperTablesOnDevice();
      for (int i = threadIdx.x; i < kFineRows; i += blockDim.x) {
        rows[i] = from.rows[i];
      }
      const int strength = parameters.own.number[0];
      const auto scaled = [strength](int number) {
        return (number * strength + kFullFeedback / 2) >> 8;
      };
      for (int a = threadIdx.x; a < 256; a += blockDim.x) {
        tones[a] = static_cast<uint16_t>(scaled(from.tones[a].strength) |
                                         scaled(from.tones[a].noise) << 8);
      }
    }
  };

  // row: on the page. Steps begin LagOf(lane) columns left of it.
  __device__ FineOnPaper(const Tables& tables, const Parameters&, int64_t row)
      : tables_(tables),
        noise_(row, LagOf(static_cast<int>(threadIdx.x % kLanes))) {}

  static OwnParameters ParametersOf(const Recipe& recipe) {
    return {{recipe.parameter(Recipe::kFeedback)}};
  }

  static __device__ Passed Nothing() {
    return {0, Pack(kFineFar, kFineFar, kFineFar, 1, 1)};
  }

  static __device__ Passed Enter(int sum, int left, int above, int right) {
    return {static_cast<uint32_t>(sum - kMaxErrorSum),
            Pack(left >> 1, above >> 1, right >> 1, left & 1, above & 1)};
  }

  template <int slot>
  __device__ void Fetch(int32_t pixel) {
    const auto word = static_cast<uint32_t>(pixel);
    const uint32_t tone = ((word & kValueMask) + 8) >> 4;
    fetched_[slot] = tables_.rows[word >> kPaperRowShift & kPaperRowMask];
    tones_[slot] = tables_.tones[tone];
  }

  template <int slot>
  __device__ void Step(int32_t pixel, const Passed& passed, uint32_t& packed) {
    const auto word = static_cast<uint32_t>(pixel);
    const FineRow& row = fetched_[slot].row;
    const int v = static_cast<int>(word & kValueMask);
    const bool is_dark = v < kWhite / 2;
    const bool is_pure = (word & kPurePixel) != 0;
    const int from_above = static_cast<int>(passed.other & 0xFFFF);
    const int distance = min(min(left_ + kFineNear, from_above), int{kFineFar});
    const int shift =
        row.lift + min(row.gain * (distance - row.onset) >> 4, kFineMaxShift);
    const int delay = from_above >= kBelowOutside ? Delay(v) : 0;
    const int noise = noise_.Next(static_cast<int>(tones_[slot] >> 8));
    const int s =
        is_pure ? v : v + static_cast<int>(passed.sum) + sums_.right() + delay;
    const bool is_white = s + noise + (is_dark ? shift : -shift) > kWhite / 2;
    packed = packed << 1 | static_cast<uint32_t>(is_white);
    const int bias = static_cast<int>(word >> kPaperBiasShift) - kPaperBias;
    const int light =
        static_cast<int>(tones_[slot] & 0xFF) *
            LightOf((passed.other >> 16) & 1, passed.other >> 17, is_white) >>
        4;
    int e = s - (is_white ? kWhite : 0) + bias + light;
    // Row 0 alone has no gain.
    if (row.gain == 0) e -= (e + 4) >> 3;
    sums_.Spread(
        e, {row.right, row.down_right, row.down_left, row.down_left_left});
    left_left_left_ = left_left_;
    left_left_ = left_;
    left_ = is_pure ? int{kFineFar} : is_white == is_dark ? 0 : distance;
    bits_ = bits_ << 1 | static_cast<uint32_t>(is_white || is_pure);
  }

  __device__ uint32_t other() const {
    return Pack(left_left_left_, left_left_, left_, bits_ >> 2 & 1,
                bits_ >> 1 & 1);
  }
  __device__ uint32_t sum() const {
    return static_cast<uint32_t>(sums_.complete());
  }
  __device__ uint32_t word() const {
    return (sum() + kMaxErrorSum) |
           (2 * static_cast<uint32_t>(left_left_) + (bits_ >> 1 & 1)) << 16;
  }

 private:
  // The row above: its distances from here, and two bits.
  static __device__ uint32_t Pack(int left, int above, int right,
                                  uint32_t left_bit, uint32_t above_bit) {
    const int distance = min(min(left, right) + kFineAcross, above + kFineNear);
    return static_cast<uint32_t>(distance) | left_bit << 16 | above_bit << 17;
  }

  // DelayOf, for the device.
  __device__ int Delay(int v) const {
    const int x = min(v, kWhite - v);
    const int most = max(kDelay * min(x, kDelayedEnd - x), 0);
    const int delay = static_cast<int>(noise_.random()) * most >> 16;
    return v < kWhite / 2 ? -delay : delay;
  }

  // As WindowLight has it.
  __device__ int LightOf(uint32_t across, uint32_t above, bool is_white) const {
    constexpr WindowLight kLight = kWindowLight;
    const uint32_t white = is_white ? 1 : 0;
    const uint32_t count = (bits_ & 1) + across + above + white;
    if (count == 1) return kLight.one;
    if (count == 2) return white == across ? kLight.diagonal : kLight.edge;
    return count == 3 ? kLight.three : 0;
  }

  const Tables& tables_;
  RowNoise noise_;
  PaperRow fetched_[2];
  uint32_t tones_[2];
  IntSums sums_;
  // The pixels to the left.
  int left_ = kFineFar, left_left_ = kFineFar, left_left_left_ = kFineFar;
  uint32_t bits_ = ~0u;  // the last in bit 0
};

}  // namespace halftoned::cuda::spread
