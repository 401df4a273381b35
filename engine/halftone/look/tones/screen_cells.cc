// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/tones/screen_cells.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "halftone/page/tone_curve.h"

namespace halftoned {
namespace {

constexpr double kLeastCell = 2;  // pixels
constexpr double kMostCell = 180;
// At 45 degrees: how many rows and columns of pixels a dot is from the next,
// and the dpi for each of them.
constexpr double kLeastRows = 3;
constexpr double kDotsOfRow = 150;
constexpr double kSmallDotsOfRow = 240;
constexpr int64_t kMostPixels = 4 * kWhite;  // of a calm supercell
constexpr double kRulingTolerance = 0.005;
constexpr double kAngleTolerance = 0.25;

constexpr double kDegree = std::numbers::pi / 180;

// A side of a supercell as it lies on paper.
struct Side {
  double inches;
  double degrees;  // clockwise, from the direction in which it would lie at 0
};

Side SideOf(double along, double aside) {
  return {std::hypot(along, aside), std::atan2(aside, along) / kDegree};
}

struct Sides {
  Side right;
  Side down;
};

Sides SidesOf(const Supercell& cell, const DotsPerInch& at) {
  return {SideOf(cell.right_x / at.across, cell.right_y / at.down),
          SideOf(cell.down_y / at.down, cell.down_x / at.across)};
}

// How far the sides are off, in tolerances.
double Misfit(const Supercell& cell, double lines_per_inch, double clockwise,
              const DotsPerInch& at) {
  const Sides sides = SidesOf(cell, at);
  double misfit = 0;
  for (const Side& side : {sides.right, sides.down}) {
    const double length = side.inches * lines_per_inch / cell.cells;
    misfit = std::max({misfit, std::abs(length - 1) / kRulingTolerance,
                       std::abs(side.degrees - clockwise) / kAngleTolerance});
  }
  return misfit;
}

// With 4, 8, 16 or 32 cells, the cells that differ by a pixel form regular,
// fine patterns. These are the least visible, and drivers compress them better.
// Large supercells take long to make.
bool IsCalm(const Supercell& cell) {
  return std::has_single_bit(static_cast<uint32_t>(cell.cells)) &&
         cell.pixels() <= kMostPixels;
}

bool IsInRange(const Supercell& cell) {
  return std::min(cell.right_x, cell.down_y) >= 1 &&
         std::max({cell.right_x, cell.right_y, cell.down_x, cell.down_y}) <=
             Supercell::kMaxSide;
}

}  // namespace

double SuitableRuling(const DotsPerInch& resolution) {
  const double dots =
      resolution.has_small_dots() ? kSmallDotsOfRow : kDotsOfRow;
  const double rows =
      std::max(kLeastRows, std::round(resolution.mean() / dots));
  return resolution.mean() / (rows * std::numbers::sqrt2);
}

Supercell SupercellFor(double lines_per_inch, double degrees,
                       const DotsPerInch& at) {
  const double ruling =
      std::clamp(lines_per_inch, std::max(at.across, at.down) / kMostCell,
                 std::min(at.across, at.down) / kLeastCell);
  // The same screen, turned by a quarter.
  double clockwise = 90 - degrees;
  if (clockwise > 90 - kAngleTolerance) clockwise = 0;
  const double cosine = std::cos(clockwise * kDegree);
  const double sine = std::sin(clockwise * kDegree);
  Supercell best{1, 0, 0, 1, 1};
  double least = INFINITY;
  for (int32_t cells = 1; cells <= Supercell::kMaxCells; ++cells) {
    const auto pixels = [&](double dots_per_inch, double part) {
      return static_cast<int32_t>(
          std::lround(cells / ruling * dots_per_inch * part));
    };
    const Supercell cell{pixels(at.across, cosine), pixels(at.down, sine),
                         pixels(at.across, sine), pixels(at.down, cosine),
                         cells};
    if (!IsInRange(cell) || cell.pixels() < kWhite) continue;
    const double misfit = std::max(Misfit(cell, ruling, clockwise, at), 1.0);
    const bool is_calmer = IsCalm(cell) && !IsCalm(best);
    if (misfit > least || (misfit == least && !is_calmer)) continue;
    least = misfit;
    best = cell;
  }
  return best;
}

bool AreTurned(const Supercell& cell, double degrees, const DotsPerInch& at) {
  const double side = 90 - SidesOf(cell, at).down.degrees;
  return std::abs(std::remainder(degrees - side, 180)) > 45;
}

ScreenRuling RulingOf(const Supercell& cell, const DotsPerInch& at) {
  const Sides sides = SidesOf(cell, at);
  const double side = std::sqrt(sides.right.inches * sides.down.inches);
  const double clockwise = (sides.right.degrees + sides.down.degrees) / 2;
  return {cell.cells / side, clockwise == 0 ? 0 : 90 - clockwise};
}

}  // namespace halftoned
