// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The light that a laser's print reflects, from its halftoned rows: the model
// whose middle tones typical_laser.h has as a table. The beam exposes the page
// with a Gaussian spot. The amount of toner is a sigmoid function of the
// exposure; above solid black it adds no density. Light passes the toner on its
// way into the paper and on its way out, and in between the paper scatters it.
//
// Each dot is computed in parts, and each part has the light of its middle.
// Beyond the rows there is paper.

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
  double spot = 52;  // the full width at half of its maximum
  double threshold = 0.46;
  double steepness = 9;
  double spread = 25;  // the deviation of scattered light
};

// What solid black reflects; paper has 1.
double LightOfSolidBlack();

struct DotGrid {
  double dots_per_inch_across;
  double dots_per_inch_down;
  int parts_across;  // of a dot, above 0
  int parts_down;
};

// The last rows of a page, as many above as below the one in the middle.
class RowWindow {
 public:
  // outside: the value above the first row and below the last.
  RowWindow(int reach, std::vector<float> outside);

  using Use = std::function<void(const std::deque<std::vector<float>>& rows)>;
  // Calls `use` once the row that is `reach` rows above has all its neighbors.
  void Push(std::vector<float> row, const Use& use);
  // After the last row: for those that still wait.
  void Finish(const Use& use);

 private:
  const size_t rows_;
  const std::vector<float> outside_;
  std::deque<std::vector<float>> window_;
};

class PrintedRows {
 public:
  using Give = std::function<void(std::span<const float> light)>;

  // `give` gets each row of parts.
  PrintedRows(int32_t width, const DotGrid& grid, const Levels& levels,
              Give give, const LaserDots& dots = {});

  // A row of packed samples (band.h).
  void Add(const std::byte* bits);
  // After the last row.
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
  std::vector<float> passed_;  // by toner, of steps of exposure
  const Weights beam_across_;
  const Weights beam_down_;
  const std::vector<float> spread_across_;
  const std::vector<float> spread_down_;
  RowWindow exposures_;  // of rows of dots, as the beam spreads across
  RowWindow light_;      // what passed, and behind it the same spread across
};

}  // namespace halftoned
