// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The recipe `palette`, as docs/reference/bits.md defines it.

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "halftone/palette/palette_job.h"

namespace halftoned {
namespace {

// Where a sample is along a side of the cube of colors.
struct SamplePlace {
  int cell;   // 0 … kCells - 1
  int above;  // 16ths of a cell, 0 … 16
};

SamplePlace PlaceOf(uint8_t sample) {
  const int scaled = sample + (sample >> 7);
  const int cell = std::min(scaled >> 4, PaletteModel::kCells - 1);
  return {cell, scaled - 16 * cell};
}

// The target light of a pixel: a mix of the corrections of four nodes of its
// cell. These are on a path from the cell's lowest corner to its highest, which
// takes the color with the largest share of a cell first.
Light TargetOf(const PaletteModel& model, const Rgb& rgb) {
  std::array<SamplePlace, 3> places;
  size_t node = 0;
  for (size_t c = 0; c < 3; ++c) {
    places[c] = PlaceOf(rgb[c]);
    node += static_cast<size_t>(places[c].cell * PaletteModel::kStep[c]);
  }
  std::array<size_t, 3> order = {0, 1, 2};
  std::ranges::sort(order, std::greater(), [&](size_t c) {
    return std::pair(places[c].above, -static_cast<int>(c));
  });
  std::array<int, 3> sums{};
  int left = 16;
  for (size_t i = 0; i <= 3; ++i) {
    const int share = left - (i < 3 ? places[order[i]].above : 0);
    for (size_t c = 0; c < 3; ++c) {
      const auto half = static_cast<int>(model.nodes()[node] >> (16 * c));
      sums[c] += share * (half & 0xffff);
    }
    if (i == 3) break;
    left -= share;
    node += static_cast<size_t>(PaletteModel::kStep[order[i]]);
  }
  Light target;
  for (size_t c = 0; c < 3; ++c) {
    const int correction = (sums[c] - 16 * kNoCorrection + 4) >> 3;
    target[c] = std::clamp(model.toned(c, rgb[c]) + correction, 0, kWhite);
  }
  return target;
}

size_t NearestTo(const Light& light, const PaletteModel& model) {
  size_t nearest = 0;
  int32_t least = INT32_MAX;
  for (size_t k = 0; k < model.count(); ++k) {
    const int32_t distance =
        model.bias(k) - std::inner_product(light.begin(), light.end(),
                                           model.slope(k).begin(), 0);
    if (distance >= least) continue;
    least = distance;
    nearest = k;
  }
  return nearest;
}

// The errors of one color of light. In front of the pixel the sums are those of
// its row, behind it those of the row below. Nothing is allocated: small
// machines run this, one row at a time.
class Errors {
 public:
  Errors(int16_t* sums, int32_t width) : sums_(sums), width_(width) {}

  int At(int32_t column) const {
    return std::clamp(sums_[column] + right_, -kMostPaletteError,
                      kMostPaletteError);
  }

  // Once for each pixel of a row, from left to right.
  void Spread(int32_t column, int error) {
    const auto part = [&](int weight) { return (weight * error + 8) >> 4; };
    right_ = part(7);
    const int down_left = part(3);
    const int down_right = part(1);
    if (column > 0) sums_[column - 1] = ToSum(below_ + down_left);
    below_ = error - right_ - down_left - down_right + down_right_;
    down_right_ = down_right;
    if (column == width_ - 1) EndRow();
  }

 private:
  static int16_t ToSum(int sum) { return static_cast<int16_t>(sum); }

  void EndRow() {
    sums_[width_ - 1] = ToSum(below_);
    right_ = below_ = down_right_ = 0;
  }

  int16_t* const sums_;
  const int32_t width_;
  int right_ = 0;
  int below_ = 0;       // for the pixel below the last one
  int down_right_ = 0;  // for the pixel below the next one
};

uint8_t IndexOf(const PaletteModel& model, const Rgb& rgb, int32_t column,
                std::array<Errors, 3>& errors) {
  const int flat = model.FlatIndexOf(rgb);
  if (flat >= 0) {
    for (Errors& color : errors) color.Spread(column, 0);
    return static_cast<uint8_t>(flat);
  }
  Light light = TargetOf(model, rgb);
  for (size_t c = 0; c < 3; ++c) light[c] += errors[c].At(column);
  const size_t index = NearestTo(light, model);
  for (size_t c = 0; c < 3; ++c) {
    errors[c].Spread(column, light[c] - model.light(index)[c]);
  }
  return static_cast<uint8_t>(index);
}

}  // namespace

void PaletteByDefinition(const PaletteJob& job) {
  std::array errors = {Errors(job.sums[0], job.width),
                       Errors(job.sums[1], job.width),
                       Errors(job.sums[2], job.width)};
  for (int32_t i = 0; i < job.rows; ++i) {
    const uint8_t* pixel = job.rgb + static_cast<size_t>(i) * job.rgb_pitch;
    uint8_t* out = job.indices + static_cast<size_t>(i) * job.index_pitch;
    for (int32_t j = 0; j < job.width; ++j, pixel += 3) {
      out[j] = IndexOf(job.model, {pixel[0], pixel[1], pixel[2]}, j, errors);
    }
  }
}

}  // namespace halftoned
