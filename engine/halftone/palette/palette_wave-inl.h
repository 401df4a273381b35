// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The recipe `palette` in vectors. A lane is a row: row i of a strip is in lane
// kLanes - 1 - i and two columns behind the row above it, whose sums are then
// complete. Lanes before or after their row, and lanes without a row, have flat
// pixels, which neither receive errors nor pass them on, so rows need no
// special treatment at their ends.
//
// The pixels' targets do not depend on errors. They are found one by one, for
// all rows and some steps, and laid out as the vectors need them.

#if defined(HALFTONED_HALFTONE_PALETTE_PALETTE_WAVE_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef HALFTONED_HALFTONE_PALETTE_PALETTE_WAVE_INL_H_
#undef HALFTONED_HALFTONE_PALETTE_PALETTE_WAVE_INL_H_
#else
#define HALFTONED_HALFTONE_PALETTE_PALETTE_WAVE_INL_H_
#endif

#include <algorithm>
#include <cstring>

#include "halftone/cpu/simd/swap/pair_sum-inl.h"
#include "halftone/cpu/simd/vectors/lanes-inl.h"
#include "halftone/cpu/simd/vectors/operations-inl.h"
#include "halftone/palette/palette_job.h"
#include "halftone/palette/staged_pixels.h"

HALFTONED_BEFORE_NAMESPACE();
namespace halftoned::simd {
namespace HWY_NAMESPACE {

using DI16 = hn::RebindToSigned<D16>;
using VI16 = hn::Vec<DI16>;
using DI32 = hn::RepartitionToWide<DI16>;
using VI32 = hn::Vec<DI32>;

constexpr int32_t kPaletteSkew = 2;  // columns
constexpr int32_t kPaletteSteps = 64;
static_assert(kPaletteSkew * (kLanes - 1) + 1 + 1 <= int{kSumPad} &&
              kPaletteSkew * (kLanes - 1) + 1 + kLanes <= 2 * int{kSumPad});

// The input and the output of a block's steps.
struct PaletteBlock {
  alignas(64) StagedPixel pixels[kPaletteSteps][kLanes];
  alignas(64) int16_t indices[kPaletteSteps][kLanes];
};

// The colors as vectors see them.
class PaletteColors {
 public:
  explicit PaletteColors(const PaletteModel& model) : count_(model.count()) {
    for (size_t k = 0; k < count_; ++k) {
      const Light& slope = model.slope(k);
      red_green_[k] =
          (slope[0] & 0xffff) |
          static_cast<int32_t>(static_cast<uint32_t>(slope[1]) << 16);
      blue_[k] = slope[2] & 0xffff;
      bias_[k] = model.bias(k);
      for (size_t c = 0; c < 3; ++c) {
        low_[c][k] = static_cast<uint8_t>(model.light(k)[c] & 0xff);
        high_[c][k] = static_cast<uint8_t>(model.light(k)[c] >> 8);
      }
    }
  }

  // The index of the color that is nearest to each lane's light.
  HWY_INLINE VI16 Nearest(const VI16 (&light)[3]) const {
    const DI16 d;
    const VI16 zero = hn::Zero(d);
    const VI32 low = NearestOf(hn::InterleaveLower(d, light[0], light[1]),
                               hn::InterleaveLower(d, light[2], zero));
    const VI32 high = NearestOf(hn::InterleaveUpper(d, light[0], light[1]),
                                hn::InterleaveUpper(d, light[2], zero));
    return hn::ReorderDemote2To(d, low, high);
  }

  // One color of light of each lane's index.
  HWY_INLINE VI16 LightAt(VI16 index, size_t channel) const {
    const D8 d;
    // Bytes above 127 give 0.
    const V8 at = hn::BitCast(
        d, hn::Or(index, hn::Set(DI16(), static_cast<int16_t>(0x8000))));
    const V8 low = LookUpBytes(hn::LoadDup128(d, low_[channel]), at);
    const V8 high = LookUpBytes(hn::LoadDup128(d, high_[channel]), at);
    return hn::Or(hn::BitCast(DI16(), low),
                  hn::ShiftLeft<8>(hn::BitCast(DI16(), high)));
  }

 private:
  HWY_INLINE VI32 NearestOf(VI16 red_green, VI16 blue) const {
    const DI32 d;
    VI32 most = hn::Set(d, INT32_MIN);
    VI32 index = hn::Zero(d);
    for (size_t k = 0; k < count_; ++k) {
      PairSumOf<DI16> sum;
      sum.Add(red_green, red_green_[k]);
      sum.Add(blue, blue_[k]);
      const VI32 near = hn::Sub(sum.Total(), hn::Set(d, bias_[k]));
      const auto is_nearer = hn::Gt(near, most);
      most = hn::IfThenElse(is_nearer, near, most);
      index =
          hn::IfThenElse(is_nearer, hn::Set(d, static_cast<int32_t>(k)), index);
    }
    return index;
  }

  const size_t count_;
  int32_t red_green_[Palette::kMost];
  int32_t blue_[Palette::kMost];
  int32_t bias_[Palette::kMost];
  alignas(16) uint8_t low_[3][16] = {};
  alignas(16) uint8_t high_[3][16] = {};
};

// The errors of one color of light, on their way between pixels.
class PaletteErrors {
 public:
  PaletteErrors() {
    const DI16 d;
    right_ = complete_ = pending_ = down_right_ = hn::Zero(d);
  }

  // The errors that the lanes' pixels receive. entering: those for the strip's
  // first row.
  HWY_INLINE VI16 Take(const int16_t* entering, Followers followers) const {
    const DI16 d;
    const VI16 above = hn::BitCast(
        d, ShiftDown(hn::BitCast(D16(), complete_),
                     reinterpret_cast<const uint16_t*>(entering), followers));
    const VI16 sum = hn::Add(above, right_);
    return hn::Max(hn::Min(sum, hn::Set(d, kMostPaletteError)),
                   hn::Set(d, -kMostPaletteError));
  }

  HWY_INLINE void Spread(VI16 error) {
    const DI16 d;
    const auto part = [&](int weight) HALFTONED_ATTR {
      return hn::MulFixedPoint15(
          error, hn::Set(d, static_cast<int16_t>(weight << 11)));
    };
    right_ = part(7);
    const VI16 down_left = part(3);
    const VI16 down_right = part(1);
    complete_ = hn::Add(pending_, down_left);
    const VI16 aside = hn::Add(hn::Add(right_, down_left), down_right);
    pending_ = hn::Add(hn::Sub(error, aside), down_right_);
    down_right_ = down_right;
  }

  // The sums for the row below, one column behind.
  HWY_INLINE VI16 complete() const { return complete_; }

 private:
  VI16 right_;
  VI16 complete_;
  VI16 pending_;
  VI16 down_right_;
};

class PaletteStrip {
 public:
  PaletteStrip(const PaletteJob& job, const PaletteColors& colors,
               const StagedPixels& pixels, int32_t first_row)
      : job_(job),
        colors_(colors),
        pixels_(pixels),
        first_row_(first_row),
        rows_(std::min<int32_t>(kLanes, job.rows - first_row)) {}

  void Run(PaletteBlock& block) {
    // One more, which completes the last column's sums.
    const int32_t steps = job_.width + kPaletteSkew * (rows_ - 1) + 1;
    for (int32_t step = 0; step < steps; step += kPaletteSteps) {
      const int32_t count = std::min(kPaletteSteps, steps - step);
      Stage(step, count, block);
      RunBlock(step, count, block);
      Emit(step, count, block);
    }
  }

 private:
  struct Columns {
    int32_t first;  // step of the block
    int32_t end;
    int32_t column;  // at `first`
  };
  // The steps of a block in which a row has pixels.
  Columns ColumnsOf(int32_t row, int32_t step, int32_t count) const {
    const int32_t column = step - kPaletteSkew * row;
    const int32_t first = std::clamp(-column, 0, count);
    const int32_t end = std::clamp(job_.width - column, first, count);
    return {first, end, column + first};
  }

  void Stage(int32_t step, int32_t count, PaletteBlock& block) const {
    for (int32_t lane = 0; lane < kLanes; ++lane) {
      const int32_t row = kLanes - 1 - lane;
      StagedPixel* to = &block.pixels[0][lane];
      const auto put = [&to](StagedPixel pixel) {
        *to = pixel;
        to += kLanes;
      };
      const Columns columns =
          row < rows_ ? ColumnsOf(row, step, count) : Columns{count, count, 0};
      for (int32_t s = 0; s < columns.first; ++s) put(0);
      if (columns.first < columns.end) StageRow(row, columns, put);
      for (int32_t s = columns.end; s < count; ++s) put(0);
    }
  }

  template <typename Put>
  HWY_INLINE void StageRow(int32_t row, const Columns& columns,
                           const Put& put) const {
    const uint8_t* rgb =
        job_.rgb + static_cast<size_t>(first_row_ + row) * job_.rgb_pitch +
        3 * static_cast<size_t>(columns.column);
    const uint8_t* const end = rgb + 3 * (columns.end - columns.first);
    // Interfaces have runs of one color.
    uint32_t last = FlatTable::kNone;
    StagedPixel pixel = 0;
    for (; rgb != end; rgb += 3) {
      const uint32_t key = FlatTable::KeyOf(rgb);
      if (key != last) pixel = pixels_.Of(rgb);
      last = key;
      put(pixel);
    }
  }

  static HWY_INLINE void LoadPixels(const StagedPixel* pixels, VI16 (&light)[3],
                                    VI16& flat) {
    const DI16 d;
    const auto* at = reinterpret_cast<const int16_t*>(pixels);
    hn::LoadInterleaved4(d, at, light[0], light[1], light[2], flat);
    const VI16 white = hn::Set(d, kWhite);
    HALFTONED_UNROLL
    for (VI16& number : light) {
      number = hn::Sub(hn::Max(hn::Min(number, hn::Add(white, white)), white),
                       white);
    }
  }

  void RunBlock(int32_t first_step, int32_t count, PaletteBlock& block) {
    const DI16 d;
    Followers followers;
    followers.Hide();
    alignas(64) int16_t complete[kLanes];
    const int32_t last_lane = kLanes - rows_;
    HALFTONED_NO_UNROLL
    for (int32_t s = 0; s < count; ++s) {
      const int32_t step = first_step + s;
      VI16 light[3];
      VI16 flat;
      LoadPixels(block.pixels[s], light, flat);
      HALFTONED_UNROLL
      for (size_t c = 0; c < 3; ++c) {
        light[c] =
            hn::Add(light[c], errors_[c].Take(job_.sums[c] + step, followers));
      }
      const auto is_flat = hn::Gt(flat, hn::Set(d, -1));
      const VI16 index = hn::IfThenElse(is_flat, flat, colors_.Nearest(light));
      hn::Store(index, d, block.indices[s]);
      const int32_t done = step - kPaletteSkew * (rows_ - 1) - 1;
      HALFTONED_UNROLL
      for (size_t c = 0; c < 3; ++c) {
        errors_[c].Spread(hn::IfThenZeroElse(
            is_flat, hn::Sub(light[c], colors_.LightAt(index, c))));
        if (done < 0) continue;
        hn::Store(errors_[c].complete(), d, complete);
        job_.sums[c][done] = complete[last_lane];
      }
    }
  }

  void Emit(int32_t step, int32_t count, const PaletteBlock& block) const {
    for (int32_t row = 0; row < rows_; ++row) {
      const Columns columns = ColumnsOf(row, step, count);
      uint8_t* to = job_.indices +
                    static_cast<size_t>(first_row_ + row) * job_.index_pitch +
                    columns.column;
      for (int32_t s = columns.first; s < columns.end; ++s) {
        *to++ = static_cast<uint8_t>(block.indices[s][kLanes - 1 - row]);
      }
    }
  }

  const PaletteJob& job_;
  const PaletteColors& colors_;
  const StagedPixels& pixels_;
  const int32_t first_row_;
  const int32_t rows_;
  PaletteErrors errors_[3];
};

void PaletteByVectors(const PaletteJob& job) {
  const PaletteColors colors(job.model);
  const StagedPixels pixels(job.model);
  PaletteBlock block;
  for (int32_t row = 0; row < job.rows; row += kLanes) {
    PaletteStrip(job, colors, pixels, row).Run(block);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace halftoned::simd
HWY_AFTER_NAMESPACE();

#endif  // HALFTONED_HALFTONE_PALETTE_PALETTE_WAVE_INL_H_
