// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The light that a laser's print reflects, from its halftoned rows: the same
// model as the table of midtones in typical_laser.h. The beam exposes the page
// with a Gaussian spot. The amount of toner is a sigmoid function of the
// exposure; above solid black it adds no density. Light passes the toner on its
// way into the paper and on its way out, and in between the paper scatters it.
//
// Each dot is divided into parts, and each part has the light of its center.
// Around the rows there is paper.

#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <vector>

#include "halftone/page/levels.h"

namespace halftoned {

// Micrometers, except for the threshold and the steepness of development.
struct LaserDots {
  double spot = 52;  // the full width at half maximum
  double threshold = 0.46;
  double steepness = 9;
  double spread = 25;  // the deviation of scattered light
};

// What solid black reflects; paper has 1.
double LightOfSolidBlack();

struct DotGrid {
  double dots_per_inch_across;
  double dots_per_inch_down;
  int parts_across;  // parts per dot; above 0
  int parts_down;
};

// A window of rows, with equal numbers above and below the middle row.
class RowWindow {
 public:
  // outside: the row above the first one and below the last.
  RowWindow(int reach, std::vector<float> outside);

  using Use = std::function<void(const std::deque<std::vector<float>>& rows)>;
  // Adds a row. Calls `use` if now the row that is `reach` rows above has all
  // its neighbors.
  void Push(std::vector<float> row, const Use& use);
  // Call it after the last row. Calls `use` for the rows that still wait.
  void Finish(const Use& use);

 private:
  const size_t rows_;
  const std::vector<float> outside_;
  std::deque<std::vector<float>> window_;
};

class PrintedRows {
 public:
  using Give = std::function<void(std::span<const float> light)>;

  // `give` is called with each row of parts.
  PrintedRows(int32_t width, const DotGrid& grid, const Levels& levels,
              Give give, const LaserDots& dots = {});

  // Adds a row of packed samples (band.h).
  void Add(const std::byte* bits);
  // Call it after the last row.
  void Finish();

 private:
  using Rows = std::deque<std::vector<float>>;
  using Weights = std::vector<std::vector<float>>;  // for each part of a dot

  std::vector<float> InkOf(const std::byte* bits) const;
  void Expose(const Rows& rows);
  void Scatter(const Rows& rows);

  const size_t width_;  // dots
  const size_t parts_;  // of a row
  const Give give_;
  const int bits_per_sample_;
  std::vector<float> ink_of_sample_;
  // The light that passes the toner, by step of exposure.
  std::vector<float> passed_;
  const Weights beam_across_;
  const Weights beam_down_;
  const std::vector<float> spread_across_;
  const std::vector<float> spread_down_;
  RowWindow exposures_;  // Rows of dots, blurred across by the beam.
  // Light that has passed the toner, then the same light scattered across.
  RowWindow light_;
};

}  // namespace halftoned
