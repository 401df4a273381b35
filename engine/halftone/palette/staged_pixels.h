// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The targets of pixels, as in definition.cc, but fast: one 64-bit number holds
// red, green and blue, and tables hold everything that depends on a single
// sample.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "halftone/palette/palette_model.h"

namespace halftoned {

// Four numbers of 16 bits, the first in the lowest: red, green and blue of a
// target, each with kWhite added and not clamped yet; and the flat index, or
// -1. 0 is a flat pixel whose index is not used.
using StagedPixel = uint64_t;

class StagedPixels {
 public:
  explicit StagedPixels(const PaletteModel& model)
      : nodes_(model.nodes()), flats_(model.flats()) {
    for (size_t c = 0; c < 3; ++c) {
      for (size_t a = 0; a < 256; ++a) samples_[c][a] = SampleOf(model, c, a);
    }
    for (size_t a = 0; a < 256; ++a) {
      const auto gray = static_cast<uint8_t>(a);
      grays_[a] = Mixed(std::array{gray, gray, gray}.data());
    }
  }

  StagedPixel Of(const uint8_t* rgb) const {
    const bool is_gray = rgb[0] == rgb[1] && rgb[1] == rgb[2];
    return is_gray ? grays_[rgb[0]] : Mixed(rgb);
  }

 private:
  StagedPixel Mixed(const uint8_t* rgb) const {
    const Sample& red = samples_[0][rgb[0]];
    const Sample& green = samples_[1][rgb[1]];
    const Sample& blue = samples_[2][rgb[2]];
    const uint64_t mixed = Mix(nodes_ + red.node + green.node + blue.node,
                               {red.leg, green.leg, blue.leg});
    const int flat = flats_.Find(FlatTable::KeyOf(rgb));
    return (red.toned + green.toned + blue.toned + Eighths(mixed)) |
           static_cast<uint64_t>(flat) << 48;
  }

  // What a sample adds to a pixel.
  struct Sample {
    uint64_t toned;
    uint32_t node;  // lowest corner of the cell
    uint32_t leg;   // how far beyond it, 0 … 16, and then the nodes of a step
  };

  static Sample SampleOf(const PaletteModel& model, size_t c, size_t a) {
    const size_t scaled = a + (a >> 7);
    const size_t cell = std::min<size_t>(scaled >> 4, PaletteModel::kCells - 1);
    const auto step = static_cast<size_t>(PaletteModel::kStep[c]);
    const auto toned =
        static_cast<uint64_t>(model.toned(c, static_cast<uint8_t>(a)));
    return {toned << (16 * c), static_cast<uint32_t>(cell * step),
            static_cast<uint32_t>((scaled - 16 * cell) << 16 | step)};
  }

  static void Order(uint32_t& far, uint32_t& near) {
    const uint32_t most = std::max(far, near);
    near = std::min(far, near);
    far = most;
  }

  // 16 times the mixed corrections: from corner to corner, the longest leg
  // first. If two legs are equally long, the corner between them has no share.
  static uint64_t Mix(const GamutNode* node, std::array<uint32_t, 3> legs) {
    Order(legs[0], legs[1]);
    Order(legs[0], legs[2]);
    Order(legs[1], legs[2]);
    uint64_t mixed = 0;
    uint64_t left = 16;
    for (const uint32_t leg : legs) {
      const uint64_t share = leg >> 16;
      mixed += *node * (left - share);
      left = share;
      node += leg & 0xffff;
    }
    return mixed + *node * left;
  }

  // Sums of 16 halves, 0 … 16 · kWhite, rounded to 0 … 2 · kWhite.
  static uint64_t Eighths(uint64_t sums) {
    constexpr uint64_t kOnes = 0x0000'0001'0001'0001;
    return (sums + 4 * kOnes) >> 3 & 0x1fff * kOnes;
  }

  const GamutNode* const nodes_;
  const FlatTable& flats_;
  std::array<std::array<Sample, 256>, 3> samples_;
  std::array<StagedPixel, 256> grays_;
};

}  // namespace halftoned
