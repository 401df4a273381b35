// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/codes/ladder_codes.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "halftone/cpu/simd/bits/edge_bits.h"
#include "halftone/look/codes/bar_shapes.h"
#include "halftone/look/codes/code_light.h"
#include "halftone/look/codes/pattern_shapes.h"

namespace halftoned {
namespace {

constexpr int64_t kUnit = ModuleGrid::kOne;
constexpr int64_t kRowsOfCell = simd::kCellSide;
constexpr int64_t kMostTurn = kUnit * 37 / 400;  // 5 degrees and a tolerance
constexpr int64_t kMostAside = 48;               // columns from probe to probe
constexpr int64_t kSearchedCells = 6;            // for the darkest pixel
constexpr int64_t kQuietModules = 10, kLeastQuiet = 5;  // modules
constexpr int64_t kLeastQuietOfPattern = 2;             // modules
constexpr int64_t kWidestBar = 6;                       // modules, plus a pixel
constexpr int64_t kShortest = 6, kShortestColumns = 32;  // modules, columns
// Where the fewest symbols are known: 15 percent of the length of a Code 128
// with four characters, the least height that ISO/IEC 15417 recommends.
constexpr int64_t kShortestOfBegin = 12;  // modules
constexpr int64_t kBlurredEnd = 2 * kPixel;
constexpr int64_t kNoEnd = int64_t{1} << 40;
constexpr size_t kFirstEdges = 8;

// The widest gap within a code, in places, judged from the first edges: a bar
// is at least one module wide, a bar with the space after it at least two.
int64_t GapOf(std::span<const int64_t> edges) {
  if (edges.size() < 3) return 5 * (edges.back() - edges.front()) + kPixel;
  int64_t least = INT64_MAX;
  for (size_t i = 0; i + 2 < std::min(edges.size(), kFirstEdges); ++i) {
    least = std::min(least, edges[i + 2] - edges[i]);
  }
  return kLeastQuiet * (least + kPixel) / 2;
}

// Whether the edges in three columns match the skew of their first edges. Sets
// how far the edges in the third column are below those in the first.
bool AreInLine(std::span<const int64_t> one, std::span<const int64_t> middle,
               std::span<const int64_t> other, int64_t& below) {
  const size_t count = std::min({one.size(), middle.size(), other.size()});
  if (4 * count < 3 * middle.size()) return false;
  const int64_t first = other[0] - one[0];
  int64_t sum = 0;
  for (size_t i = 0; i < count; ++i) {
    const int64_t here = other[i] - one[i];
    if (std::abs(one[i] + other[i] - 2 * middle[i]) > 2 * kPixel ||
        std::abs(here - first) > kPixel * 3 / 2) {
      return false;
    }
    sum += here;
  }
  below = sum / static_cast<int64_t>(count);
  return true;
}

}  // namespace

// A column of the page.
inline int64_t LadderCodes::ColumnAt(const Probe& probe, int64_t row) const {
  return std::clamp(probe.ColumnAt(row), int64_t{0}, rows_.columns() - 1);
}

// -1 if the row is not known.
inline int LadderCodes::LightAt(const Probe& probe, int64_t row) const {
  const std::byte* const bytes = row < 0 ? nullptr : rows_.Row(row);
  return bytes ? rows_.At(bytes, ColumnAt(probe, row)) : -1;
}

// Where a column first turns dark in row `at` of cells, or right below it.
std::optional<Place> LadderCodes::FirstEdge(int64_t column, int64_t at,
                                            int light_from) const {
  const Probe probe{{column * kPixel + kPixel / 2, 0}, 0};
  int before = -1;
  for (int64_t row = kRowsOfCell * at - 1; row <= kRowsOfCell * (at + 1);
       ++row) {
    const int here = LightAt(probe, row);
    if (before >= light_from && here >= 0 && here < light_from) {
      return Place{probe.from.x,
                   row * kPixel - kPixel / 2 +
                       (light_from - before) * kPixel / (here - before)};
    }
    before = here;
  }
  return std::nullopt;
}

// is_wide: gaps within the code may be twice as wide.
LadderCodes::Down LadderCodes::EdgesOf(const Probe& probe, int light_from,
                                       bool is_wide) const {
  Down down{{probe.from.y}, false, 0};
  std::vector<int64_t>& edges = down.edges;
  int64_t gap = kNoEnd;  // none ends a code before the first bar does
  bool is_dark = true;
  int before = light_from - 1;
  for (int64_t row = probe.from.y / kPixel + 1; edges.size() < kMostEdges;
       ++row) {
    // Most cells below text hold no edge.
    if (row % kRowsOfCell == 0 && IsFlat(probe, row, is_dark, light_from)) {
      row += kRowsOfCell - 1;
    }
    const int here = LightAt(probe, row);
    if (here < 0) {
      down.seen = row * kPixel;
      break;
    }
    if ((here < light_from) != is_dark) {
      edges.push_back(row * kPixel - kPixel / 2 +
                      (light_from - before) * kPixel / (here - before));
      is_dark = !is_dark;
      if (edges.size() <= kFirstEdges) gap = GapOf(edges) * (is_wide ? 2 : 1);
    } else if (row * kPixel - edges.back() > gap) {
      down.is_ended = !is_dark;
      break;
    }
    before = here;
  }
  return down;
}

// Whether this row, the first one of its row of cells, and the seven below it
// are known, and have no edge.
bool LadderCodes::IsFlat(const Probe& probe, int64_t row, bool is_dark,
                         int light_from) const {
  const int64_t last = row + kRowsOfCell - 1;
  const int64_t cell = ColumnAt(probe, row) / kRowsOfCell;
  return rows_.Row(last) && cell == ColumnAt(probe, last) / kRowsOfCell &&
         cells_.IsAll(is_dark, row / kRowsOfCell, cell, light_from);
}

void LadderCodes::Search(int64_t at, int64_t ahead) {
  const bool is_first = at >= searched_;
  searched_ = std::max(searched_, at + 1);
  std::erase_if(cells_.TopsAt(at), [&](const KeptCells::Run& top) {
    if (is_first && !cells_.MayBeBars(at, kAhead, (top.first + top.end) / 2)) {
      return true;
    }
    const auto begin = BeginAt(at, top);
    return !begin || !Try(*begin, ahead);
  });
}

// Where the first bar starts in three columns; nothing if these places are not
// on a line.
std::optional<LadderCodes::Begin> LadderCodes::BeginAt(
    int64_t at, const KeptCells::Run& top) const {
  const int64_t cell = (top.first + top.end) / 2;
  const int ground = cells_.MostAt(at - 1, cell);
  int dark = ground;
  for (int64_t i = at; i < std::min(at + kSearchedCells, cells_.count()); ++i) {
    dark = std::min(dark, cells_.LeastAt(i, cell));
  }
  if (4 * (ground - dark) < rows_.highest()) return std::nullopt;
  const int light_from = (ground + dark) / 2 + 1;
  const int64_t middle = kRowsOfCell * (top.first + top.end) / 2;
  // The bars may end within the first and the last cell.
  const int64_t aside =
      std::min(kRowsOfCell * (top.end - top.first - 2) / 2 - 1, kMostAside);
  const auto one = FirstEdge(middle - aside, at, light_from);
  const auto other = FirstEdge(middle + aside, at, light_from);
  const auto first = FirstEdge(middle, at, light_from);
  if (!one || !other || !first ||
      std::abs(one->y + other->y - 2 * first->y) > kPixel * 3 / 2) {
    return std::nullopt;
  }
  const int64_t slope = (other->y - one->y) * kUnit / (2 * aside * kPixel);
  if (std::abs(slope) > kMostTurn) return std::nullopt;
  return Begin{{*one, slope}, {*first, slope}, {*other, slope}, light_from};
}

// Sets is_over if no more rows can show that there is a code.
std::optional<LadderCodes::Bars> LadderCodes::BarsOf(const Begin& begin,
                                                     int64_t ahead,
                                                     bool& is_over) const {
  Down down = EdgesOf(begin.middle, begin.light_from, false);
  const bool is_ended = down.is_ended;
  int64_t module =
      is_ended ? ModuleOf(down.edges) : ModuleOfBegin(down.edges, false);
  int64_t shortest = kShortest;
  if (module == 0 && !is_ended && ahead >= kAheadAgain) {
    module = ModuleOfBegin(down.edges, true);
    shortest = kShortestOfBegin;
  }
  if (module != 0) {
    return Bars{std::move(down.edges), module,   kWidestBar,
                kLeastQuiet,           shortest, false};
  }
  for (const bool is_wide : {false, true}) {
    // Unless a gap ended them, the edges are the same.
    if (is_wide && down.seen != 0) break;
    if (is_wide) down = EdgesOf(begin.middle, begin.light_from, true);
    const PatternBegin pattern =
        PatternBeginOf(down.edges, ahead > kAheadAgain ? down.seen : 0);
    if (pattern.module == 0) continue;
    down.edges.resize(pattern.edges);
    return Bars{std::move(down.edges), pattern.module, pattern.widest,
                kLeastQuietOfPattern,  kShortest,      is_wide};
  }
  is_over = is_ended && down.seen == 0;
  return std::nullopt;
}

// False if no more rows can show that a code begins here.
bool LadderCodes::Try(const Begin& begin, int64_t ahead) {
  const auto& [one, middle, other, light_from] = begin;
  const Place start = middle.from;
  if (codes_.HasOneAt({start.x, start.y + kPixel})) return true;
  bool is_over = false;
  const auto bars = BarsOf(begin, ahead, is_over);
  if (!bars) return !is_over;
  const int64_t module = bars->module;
  const auto beside = [&, light = light_from](const Probe& probe) {
    auto edges = EdgesOf(probe, light, bars->is_wide).edges;
    if (bars->widest != kWidestBar) {
      edges.resize(std::min(edges.size(), bars->edges.size()));
    }
    return edges;
  };
  int64_t below = 0;
  if (!AreInLine(beside(one), bars->edges, beside(other), below)) return true;
  int64_t quiet = kQuietModules * module;
  for (const Probe& each : {one, middle, other}) {
    quiet = std::min(quiet, LightAbove(each, module, light_from));
  }
  if (quiet < bars->quiet * module) return true;
  const Probe turned{middle.from, below * kUnit / (other.from.x - one.from.x)};
  CodeArea area{.origin = turned.from,
                .slope = turned.slope,
                .left = 0,
                .right = 0,
                .top = -quiet,
                .bottom = kNoEnd,
                .light_from = static_cast<uint16_t>(light_from)};
  if (!FindEnds(turned, *bars, area)) return true;
  CodeArea known = area;
  known.top = 0;
  known.bottom = bars->edges.back() - turned.from.y;
  area.light_from = LightFromOf(rows_, known);
  const int64_t row = turned.from.y / kPixel + 1;
  codes_.Add({area, module, row, row, bars->widest, true, false});
  return false;
}

// The height of the quiet zone in places, up to 10 modules. Only the cells of
// finished rows are known; they count for up to 5 modules.
int64_t LadderCodes::LightAbove(const Probe& probe, int64_t module,
                                int light_from) const {
  const int64_t bottom = probe.from.y / kPixel;
  const int64_t most = (kQuietModules * module + kPixel - 1) / kPixel;
  int64_t count = 0;
  for (; count < most; ++count) {
    const int64_t row = bottom - 1 - count;
    if (row < 0) return kQuietModules * module;
    const int light = LightAt(probe, row);
    if (light < 0) break;
    if (light < light_from) return count * kPixel;
  }
  for (; count * kPixel < kLeastQuiet * module; count += kRowsOfCell) {
    const int64_t row = std::max(bottom - 1 - count, int64_t{0});
    const int64_t column = ColumnAt(probe, row);
    if (cells_.LeastAt(row / kRowsOfCell, column / kRowsOfCell) < light_from) {
      return count * kPixel;
    }
  }
  return std::min(count * kPixel, kQuietModules * module);
}

// Where the bar at height `y` ends, to the left (step -1) or to the right (1):
// the distance from the probe.
int64_t LadderCodes::EndOf(const Probe& probe, int64_t y, int step,
                           int light_from) const {
  const int64_t begin = probe.ColumnAt(y / kPixel);
  int64_t column = begin;
  while (column >= 0 && column < rows_.columns()) {
    const int64_t down = probe.slope * (column - begin) * kPixel / kUnit;
    const std::byte* const row =
        rows_.Row(std::max(y + down, int64_t{0}) / kPixel);
    if (!row || rows_.At(row, column) >= light_from) break;
    column += step;
  }
  return column * kPixel + kPixel / 2 - probe.from.x +
         probe.slope * (y - probe.from.y) / kUnit;
}

// Sets the left and the right side of an area. False if the bars are too short
// or do not end on common lines, or if the area reaches finished rows.
bool LadderCodes::FindEnds(const Probe& probe, const Bars& bars,
                           CodeArea& area) const {
  const auto& [edges, module, widest, quiet, shortest, is_wide] = bars;
  std::vector<int64_t> lefts, rights;
  for (size_t i = 0; i + 1 < edges.size(); i += 2) {
    const int64_t y = (edges[i] + edges[i + 1]) / 2;
    lefts.push_back(EndOf(probe, y, -1, area.light_from));
    rights.push_back(EndOf(probe, y, 1, area.light_from));
  }
  const size_t count = lefts.size();
  const auto usual = [&](std::vector<int64_t>& ends) {
    std::ranges::sort(ends);
    return ends[count / 2];
  };
  const int64_t left = usual(lefts), right = usual(rights);
  if (right - left < std::max(shortest * module, kShortestColumns * kPixel)) {
    return false;
  }
  const int64_t apart = 2 * kPixel + module / 2;
  for (const auto& [ends, end] : {std::pair(lefts, left), {rights, right}}) {
    const auto alike =
        std::ranges::count_if(ends, [middle = end, apart](int64_t each) {
          return std::abs(each - middle) <= apart;
        });
    if (3 * static_cast<size_t>(alike) < 2 * count) return false;
  }
  area.left = lefts.front() - kBlurredEnd;
  area.right = rights.back() + kBlurredEnd;
  const int64_t up =
      std::min(area.slope * area.left, area.slope * area.right) / kUnit;
  const int64_t highest = (area.origin.y + up) / kPixel - 1;
  return highest < 0 || rows_.Row(highest) != nullptr;
}

void LadderCodes::Follow() {
  for (Code& code : codes_.areas()) {
    while (!code.is_ended && FollowRow(code)) {
    }
  }
}

// False if the next row is not known.
bool LadderCodes::FollowRow(Code& code) {
  CodeArea& area = code;
  const int light = LightAt({area.origin, area.slope}, code.next);
  if (light < 0) return false;
  const bool is_dark = light < area.light_from;
  const int64_t since = (code.next - code.edge) * kPixel;
  const int64_t widest_gap =
      (code.widest == kWidestBar ? kLeastQuiet : code.widest) * code.module +
      kPixel;
  const auto end_at = [&](int64_t row) {
    const int64_t down = row * kPixel - area.origin.y;
    area.bottom = down + area.slope * area.slope / kUnit * down / kUnit;
    code.is_ended = true;
  };
  if (is_dark != code.is_dark) {
    // Another code, or something else, begins.
    if (is_dark && since > widest_gap) end_at(code.next - 1);
    code.is_dark = is_dark;
    code.edge = code.next;
  } else if (is_dark && since > code.widest * code.module + kPixel) {
    end_at(code.edge);
  } else if (!is_dark && since > kQuietModules * code.module) {
    end_at(code.next);
  }
  ++code.next;
  return true;
}

}  // namespace halftoned
