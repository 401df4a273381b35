// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds a supercell that is near enough to a requested ruling and angle.

#pragma once

#include "halftone/page/screen.h"

namespace halftoned {

// Resolution of a page in dpi, above 0.
struct DotsPerInch {
  double across = 600;
  double down = 600;

  double mean() const { return (across + down) / 2; }
  // Whether dots are so small that some lasers lose single ones.
  bool has_small_dots() const { return mean() >= 1000; }

  friend bool operator==(const DotsPerInch&, const DotsPerInch&) = default;
};

// The ruling that suits a resolution, in lines per inch: 48 at 203 dpi, 71 at
// 300, 106 at 600, and 170 at 1200, where a cell has enough dots for that. At
// 45 degrees, cells are then a whole number of pixels apart, so all of them are
// equal, which looks even and compresses well.
double SuitableRuling(const DotsPerInch& resolution);

// A supercell with a pixel for each step of a curve, a ruling within half a
// percent and an angle within a quarter of a degree; if there is none, the
// nearest one. If several fit, the smallest whose number of cells makes even
// tints; if none does, the smallest. A cell is 2 … 180 pixels high and wide,
// for any ruling. lines_per_inch: above 0; degrees: 0 … 90, counterclockwise.
Supercell SupercellFor(double lines_per_inch, double degrees,
                       const DotsPerInch& resolution);

// Whether dots must be turned (DotShape) to be longest at this angle, 0 … 180
// degrees counterclockwise.
bool AreTurned(const Supercell& supercell, double degrees,
               const DotsPerInch& resolution);

// The actual ruling and angle of a supercell.
struct ScreenRuling {
  double lines_per_inch;
  double degrees;
};
ScreenRuling RulingOf(const Supercell& supercell,
                      const DotsPerInch& resolution);

}  // namespace halftoned
