// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/codes/matrix/square_codes.h"

#include <algorithm>
#include <cstdlib>

#include "halftone/look/codes/code_light.h"

namespace halftoned {
namespace {

constexpr int64_t kLeastModule = kPixel * 11 / 8, kMostModule = kPixel * 12;
constexpr std::array<int64_t, 4> kPairs = {2, 4, 4, 2};  // modules

using SixEdges = std::span<const int64_t, 6>;

// The width of 12 modules, even if bars are printed too wide.
int64_t TwelveOf(SixEdges edges) {
  return edges[4] - edges[0] + edges[5] - edges[1];
}

// Whether six edges are those of a finder.
bool AreOfFinder(SixEdges edges) {
  const int64_t module = TwelveOf(edges) / 12;
  if (module < kLeastModule || module > kMostModule) return false;
  for (size_t i = 0; i < kPairs.size(); ++i) {
    const int64_t off = edges[i + 2] - edges[i] - kPairs[i] * module;
    if (2 * std::abs(off) > module + kPixel / 2) return false;
  }
  return edges[3] - edges[2] > 2 * module;
}

// Whether columns may be a finder's: each edge may be half a pixel off.
bool MayBeFinder(std::span<const int32_t, 6> columns) {
  const int32_t twelve = columns[4] - columns[0] + columns[5] - columns[1];
  if (columns[3] - columns[2] < 3 || twelve < 15) return false;
  for (size_t i = 0; i < kPairs.size(); ++i) {
    const int32_t off = 12 * (columns[i + 2] - columns[i]) -
                        static_cast<int32_t>(kPairs[i]) * twelve;
    if (std::abs(off) > twelve / 2 + 15) return false;
  }
  return true;
}

}  // namespace

// Finds the edges of a finder in a column, above (step -1) or below (1) a row
// through the finder's center.
bool SquareCodes::FindDown(int64_t column, int64_t row, int step,
                           uint16_t light_from,
                           std::array<int64_t, 3>& edges) const {
  int64_t left = 4 * kMostModule / kPixel;
  const auto light_at = [&](int64_t at) {
    const std::byte* const bytes = at < 0 ? nullptr : rows_.Row(at);
    return bytes ? rows_.At(bytes, column) : -1;
  };
  int before = light_at(row);
  bool is_dark = true;
  for (size_t found = 0; found < edges.size(); row += step) {
    const int here = light_at(row + step);
    if (here < 0 || before < 0 || --left < 0) return false;
    if ((here < light_from) != is_dark) {
      if (here == before) return false;  // it starts light
      edges[found++] = row * kPixel + kPixel / 2 +
                       step * (light_from - before) * kPixel / (here - before);
      is_dark = !is_dark;
    }
    before = here;
  }
  return true;
}

std::optional<ModuleGrid> SquareCodes::FinderAt(const SeenFinder& seen) const {
  const auto& [row, light_from, edges] = seen;
  const int64_t x = (edges[0] + edges[5]) / 2;
  std::array<int64_t, 3> above{}, below{};
  if (!FindDown(x / kPixel, row, -1, light_from, above) ||
      !FindDown(x / kPixel, row, 1, light_from, below)) {
    return std::nullopt;
  }
  const std::array<int64_t, 6> down = {above[2], above[1], above[0],
                                       below[0], below[1], below[2]};
  if (!AreOfFinder(down)) return std::nullopt;
  const int64_t wide = TwelveOf(edges), high = TwelveOf(down);
  if (4 * std::abs(wide - high) > wide) return std::nullopt;
  return ModuleGrid{.x = x,
                    .y = (down[0] + down[5]) / 2,
                    .module = (wide + high) * 256 / 24,
                    .slope = 0};
}

void SquareCodes::SearchAt(int64_t row, BarEdges& found, size_t first) {
  const std::span<const int32_t> all = found.columns().subspan(first);
  if (!MayBeFinder(all.first<6>())) return;
  const auto six = found.Places(first, 6).first<6>();
  if (!AreOfFinder(six)) return;
  seen_.push_back({row, found.light_from(), {}});
  std::ranges::copy(six, seen_.back().edges.begin());
}

void SquareCodes::TryAbove(int64_t row) {
  for (; !seen_.empty() && seen_.front().row < row; seen_.pop_front()) {
    if (const auto finder = FinderAt(seen_.front())) Try(*finder);
  }
}

void SquareCodes::Try(const ModuleGrid& finder) {
  if (codes_.HasOneAt({finder.x, finder.y})) return;
  for (const int side : {1, -1}) {
    ModuleGrid grid = finder;
    grid.side = side;
    const auto shape = QrShapeOf(rows_, grid);
    if (shape && AddCode(*shape)) return;
  }
}

// False if the first row of the code is no longer known.
bool SquareCodes::AddCode(const QrShape& shape) {
  constexpr int64_t kParts = ModuleGrid::kParts;
  const int64_t from = -kParts * 7 / 2, to = from + kParts * shape.width;
  int64_t top = INT64_MAX;
  for (const int64_t right : {from, to}) {
    top = std::min(top, shape.grid.At(right, from).y / kPixel);
  }
  if (top < 0 || !rows_.Row(top)) return false;
  const ModuleGrid& grid = shape.grid;
  const int64_t before = grid.PlacesOf(from), after = grid.PlacesOf(to);
  const bool is_left = grid.side > 0;
  CodeArea area{.origin = {grid.x, grid.y},
                .slope = grid.slope,
                .left = is_left ? before : -after,
                .right = is_left ? after : -before,
                .top = before,
                .bottom = after,
                .light_from = 0};
  area.light_from = LightFromOf(rows_, area);
  area.Widen(grid.PlacesOf(kParts * shape.quiet));
  codes_.Add(area);
  return true;
}

}  // namespace halftoned
