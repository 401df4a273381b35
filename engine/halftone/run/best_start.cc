// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/run/best_start.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "halftone/page/levels.h"

namespace halftoned {
namespace {

void CopyFirstPass(const Carry& from, Carry& to) {
  for (size_t plane = 0; plane < kBestFirstBits; ++plane) {
    std::ranges::copy(from.plane(plane), to.plane(plane).begin());
  }
}

}  // namespace

BestStart::BestStart(const Page& page, const Recipe& recipe,
                     const std::optional<Carry>& above, int32_t rows)
    : page_(page),
      recipe_(recipe),
      rows_(rows),
      is_at_start_(!above || above->IsAtStart(recipe)) {
  if (is_at_start_) return;
  const int64_t first = page.first_row() + kBestRowsBelow;
  above_ = Carry::AtStart(recipe.FirstPass(), page.StartingAt(first));
  CopyFirstPass(*above, *above_);
}

PageOrder BestStart::FirstPass() const {
  const int32_t left_out = rows_left_out();
  return {.page = page_.StartingAt(page_.first_row() + left_out),
          .recipe = recipe_.FirstPass(),
          .carry = above_,
          .rows_per_band = rows_ + kBestRowsBelow - left_out};
}

BestPixel BestStart::PixelAt(const GrayBand& gray, int32_t row,
                             int32_t column) const {
  const std::byte* const samples = gray.row(row);
  if (page_.depth() == Depth::k8) {
    const auto sample = std::to_integer<uint8_t>(samples[column]);
    return BestPixelOf(recipe_.curve().At8(sample), recipe_.levels());
  }
  uint16_t sample;
  std::memcpy(&sample, samples + 2 * static_cast<size_t>(column),
              sizeof(sample));
  return BestPixelOf(recipe_.curve().At16(sample), recipe_.levels());
}

Carry BestStart::StateFrom(const GrayBand& gray, const Finished& made) const {
  const int64_t row = page_.first_row() + rows_;
  Carry state = Carry::AtStart(recipe_, page_.StartingAt(row));
  CopyFirstPass(*made.carry, state);
  const auto bits = [&](int32_t column, int rows) {
    int all = 0;
    for (int i = made.bits.rows - rows; i < made.bits.rows; ++i) {
      const int sample =
          SampleIn(made.bits.row(i), column, recipe_.levels().bits_per_sample);
      const BestPixel pixel = PixelAt(gray, rows_left_out() + i, column);
      all = 2 * all + (sample == pixel.sample[1] ? 1 : 0);
    }
    return static_cast<int16_t>(all);
  };
  for (int32_t column = 0; column < page_.width(); ++column) {
    const auto at = static_cast<size_t>(column);
    state.plane(kBestFirstBits)[at] = bits(column, 2 * kBestRowsBelow);
    state.plane(kBestSweptBits)[at] =
        bits(column, kBestRowsAbove + kBestRowsBelow);
    for (int i = 0; i < kBestRowsAbove; i += 2) {
      const int32_t upper = rows_ - kBestRowsAbove + i;
      state.plane(kBestTones + static_cast<size_t>(i / 2))[at] =
          static_cast<int16_t>(PixelAt(gray, upper, column).tone |
                               PixelAt(gray, upper + 1, column).tone << 8);
    }
  }
  return state;
}

}  // namespace halftoned
