// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A palette as numbers: everything except the pixels that determines an index.
// One model serves all pages and engines, and never changes.
// docs/reference/bits.md defines the numbers.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "halftone/page/tone_curve.h"
#include "halftone/palette/flat_table.h"
#include "halftone/palette/light.h"
#include "halftone/palette/palette.h"

namespace halftoned {

// Error sums are clamped to ± this, so a pixel's light with its error is in
// -kWhite … 2 · kWhite, and 16 bits hold every number of a row:
//
//   |e| ≤ 2 kWhite = 8160; a sum is at most 16/16 of that.
inline constexpr int kMostPaletteError = kWhite;

// Four numbers of 16 bits: the corrections of a node, red in the lowest bits,
// and 0. Each is kNoCorrection plus half a correction, 0 … kWhite.
using GamutNode = uint64_t;
inline constexpr int kNoCorrection = kWhite / 2;

class PaletteModel {
 public:
  static constexpr int kCells = 16;  // along each side of the cube of colors
  static constexpr int kNodes = kCells + 1;
  // Distances between nodes of the cube.
  static constexpr std::array<int, 3> kStep = {kNodes * kNodes, kNodes, 1};

  explicit PaletteModel(Palette palette);

  const Palette& palette() const { return palette_; }
  size_t count() const { return palette_.colors().size(); }

  // The light of color k. The color nearest to a light v has the least
  // bias - v · slope.
  const Light& light(size_t k) const { return lights_[k]; }
  const Light& slope(size_t k) const { return slopes_[k]; }
  int32_t bias(size_t k) const { return biases_[k]; }

  // Light of a sample. With full compression, it is between that of the
  // palette's black and white.
  int toned(size_t channel, uint8_t sample) const {
    return toned_[channel][sample];
  }
  const GamutNode* nodes() const { return nodes_.data(); }

  // The index that pixels of this color always get; -1 for colors whose index
  // depends on the errors around them.
  int FlatIndexOf(const Rgb& rgb) const;
  // The same, but faster.
  const FlatTable& flats() const { return flats_; }

 private:
  void MeasureColors();
  void MapTones();
  void MapGamut();
  void FindFlats();

  Palette palette_;
  std::array<Light, Palette::kMost> lights_{};
  std::array<Light, Palette::kMost> slopes_{};
  std::array<int32_t, Palette::kMost> biases_{};
  std::array<std::array<int16_t, 256>, 3> toned_{};
  std::vector<GamutNode> nodes_;
  FlatTable flats_;
};

}  // namespace halftoned
