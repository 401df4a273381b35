// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/page/screen.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

#include "halftone/blue_noise/ranks.h"
#include "halftone/page/tone_curve.h"

namespace halftoned {
namespace {

// The order in which the cells of a supercell get each further pixel: the next
// cell is the one that is farthest from those before it.
std::vector<int64_t> OrderOfCells(int64_t across) {
  const auto count = static_cast<size_t>(across * across);
  std::vector<int64_t> order(count, -1);
  std::vector<int64_t> nearness(count, 0);
  for (size_t next = 0; next < count; ++next) {
    size_t chosen = count;
    for (size_t i = 0; i < count; ++i) {
      if (order[i] >= 0) continue;
      if (chosen == count || nearness[i] < nearness[chosen]) chosen = i;
    }
    order[chosen] = static_cast<int64_t>(next);
    for (size_t i = 0; i < count; ++i) {
      const auto apart = [&](int64_t a, int64_t b) {
        const int64_t d = std::abs(a - b);
        return std::min(d, across - d);
      };
      const auto at = static_cast<int64_t>(i);
      const auto from = static_cast<int64_t>(chosen);
      const int64_t x = apart(at % across, from % across);
      const int64_t y = apart(at / across, from / across);
      const int64_t d = 1 + x * x + y * y;
      nearness[i] += (int64_t{1} << 24) / (d * d);
    }
  }
  return order;
}

// A pixel of the dot of a cell, or of the hole between four cells.
struct Spot {
  bool is_hole;
  int64_t cell;      // of a hole: the cell at whose corner it is
  int64_t distance;  // from the middle of dot or hole
  int64_t place;     // in the square around it, row after row

  int64_t pixel = 0;  // of the brick
  int64_t key = 0;    // of its rank
};

// The weights of distances along u and along v.
struct Weights {
  int64_t u;
  int64_t v;
  bool is_straight;  // the outline, at its ends too
};
constexpr Weights kWeights[DotShape::kOutlines] = {
    {1, 1, false}, {4, 3, false}, {1, 0, true}, {20, 17, true}};

Weights WeightsOf(const DotShape& shape) {
  Weights weights = kWeights[shape.outline];
  if (shape.is_turned) std::swap(weights.u, weights.v);
  return weights;
}

// From the middle of a dot or hole, which touches the next one `half` away.
int64_t Distance(const Weights& weights, int64_t half, int64_t a, int64_t b) {
  const int64_t u = weights.u * a;
  const int64_t v = weights.v * b;
  const int64_t touching = std::min(weights.u, weights.v) * half;
  if (weights.is_straight) return u + v;
  return u + v <= touching ? u * u + v * v : touching * touching + u + v;
}

// Distances are in 2 · pixels() to a cell.
Spot SpotOf(const Supercell& cell, const Weights& weights, int32_t x,
            int32_t y) {
  const int64_t half = cell.pixels();
  const int64_t side = 2 * half;
  const int64_t across = cell.cells;
  const int64_t u = across * (cell.down_y * (2 * int64_t{x} + 1) +
                              cell.down_x * (2 * int64_t{y} + 1));
  // Not negative, for the sake of divisions: a whole supercell is added.
  const int64_t v = across * (cell.right_x * (2 * int64_t{y} + 1) -
                              cell.right_y * (2 * int64_t{x} + 1)) +
                    side * across * cell.right_y * (x + 1);
  const auto spot_at = [&](bool is_hole, int64_t p, int64_t q, int64_t a,
                           int64_t b) {
    return Spot{is_hole, q / side % across * across + p / side % across,
                Distance(weights, half, a, b), q % side * side + p % side};
  };
  const int64_t a = std::abs(u % side - half);
  const int64_t b = std::abs(v % side - half);
  const bool is_hole =
      2 * (weights.u * a + weights.v * b) > (weights.u + weights.v) * half;
  if (!is_hole) return spot_at(false, u, v, a, b);
  return spot_at(true, u + half, v + half, half - a, half - b);
}

// Gives the pixels of each dot, and of each hole, keys at even distances, from
// its middle on, in the order of the cells.
void SetKeys(int64_t cells, std::vector<Spot>& spots) {
  const std::vector<int64_t> order = OrderOfCells(cells);
  std::ranges::sort(spots, {}, [](const Spot& spot) {
    return std::tuple(spot.is_hole, spot.cell, spot.distance, spot.place);
  });
  for (size_t first = 0, end = 0; first < spots.size(); first = end) {
    while (end < spots.size() && spots[end].is_hole == spots[first].is_hole &&
           spots[end].cell == spots[first].cell) {
      ++end;
    }
    const int64_t steps = static_cast<int64_t>(end - first) * cells * cells;
    for (size_t i = first; i < end; ++i) {
      const int64_t step = static_cast<int64_t>(i - first) * cells * cells +
                           order[static_cast<size_t>(spots[i].cell)];
      spots[i].key = ((2 * step + 1) << 32) / (2 * steps);
    }
  }
}

// The offset of the pixel of this rank among `pixels` pixels.
uint16_t OffsetOf(int64_t rank, int64_t pixels) {
  return static_cast<uint16_t>((2 * rank + 1) * (kWhite / 2) / pixels);
}

// The shift of a course against the one above: from any point of the
// supercell's lattice, another is `rows` down and this far to the left.
int32_t ShiftOf(const Supercell& cell, int64_t rows, int64_t columns) {
  const int64_t pixels = cell.pixels();
  for (int64_t x = 0; x < columns; ++x) {
    if ((cell.down_x * rows - cell.down_y * x) % pixels == 0 &&
        (cell.right_x * rows + cell.right_y * x) % pixels == 0) {
      return static_cast<int32_t>(x);
    }
  }
  return 0;
}

}  // namespace

Screen Screen::Of(const Supercell& cell, const DotShape& shape) {
  const int32_t rows = std::gcd(cell.right_y, cell.down_y);
  const int64_t pixels = cell.pixels();
  const int64_t columns = pixels / rows;
  Screen screen(rows, static_cast<int32_t>(columns),
                ShiftOf(cell, rows, columns));
  const Weights weights = WeightsOf(shape);
  std::vector<Spot> spots;
  spots.reserve(static_cast<size_t>(pixels));
  for (int64_t pixel = 0; pixel < pixels; ++pixel) {
    spots.push_back(SpotOf(cell, weights, static_cast<int32_t>(pixel % columns),
                           static_cast<int32_t>(pixel / columns)));
    spots.back().pixel = pixel;
  }
  SetKeys(cell.cells, spots);
  // Dots from their middles outwards, then holes inwards to theirs.
  std::ranges::sort(spots, {}, [](const Spot& spot) {
    return std::tuple(spot.is_hole, spot.is_hole ? -spot.key : spot.key,
                      spot.pixel);
  });
  screen.offsets_.resize(spots.size());
  for (size_t rank = 0; rank < spots.size(); ++rank) {
    screen.offsets_[static_cast<size_t>(spots[rank].pixel)] =
        OffsetOf(static_cast<int64_t>(rank), pixels);
  }
  return screen;
}

Screen Screen::BlueNoise() {
  Screen screen(kBlueNoiseSide, kBlueNoiseSide, 0);
  const std::span<const uint16_t> ranks = BlueNoiseRanks();
  const auto pixels = static_cast<int64_t>(ranks.size());
  screen.offsets_.resize(ranks.size());
  std::ranges::transform(
      ranks, screen.offsets_.begin(),
      [pixels](int64_t rank) { return OffsetOf(rank, pixels); });
  return screen;
}

Screen Screen::Flat(uint16_t offset) {
  Screen screen(1, 1, 0);
  screen.offsets_ = {offset};
  return screen;
}

}  // namespace halftoned
