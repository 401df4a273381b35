// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/codes/linear_codes.h"

#include <algorithm>
#include <cstdlib>

#include "halftone/cpu/simd/bits/edge_bits.h"
#include "halftone/look/codes/bar_shapes.h"
#include "halftone/look/codes/code_light.h"
#include "halftone/look/codes/pattern_shapes.h"

namespace halftoned {
namespace {

constexpr int64_t kQuietBeside = 10;  // modules of a code's quiet zone
constexpr int32_t kQuietLeast = 5;    // modules
constexpr int64_t kMostApart = 3;     // rows of cells from line to line
constexpr int64_t kLines = 3;
constexpr int64_t kLinesWithin = 5;
constexpr int64_t kKept = 28;        // rows of cells after the last line
constexpr int64_t kMostBeyond = 96;  // rows
constexpr int64_t kBlurred = 2;      // rows
constexpr int64_t kMove = kPixel * 3 / 2;
constexpr size_t kBarsBeside = 2;  // bars

// Columns of quiet zone, by the least distance between edges of one kind at the
// begin of bars, which is two modules.
int32_t QuietOf(std::span<const int32_t> columns) {
  int32_t least = INT32_MAX;
  for (size_t i = 0; i + 2 < std::min<size_t>(columns.size(), 8); ++i) {
    least = std::min(least, columns[i + 2] - columns[i]);
  }
  return kQuietLeast * (least + 1) / 2;
}

int64_t RowOf(int64_t cells) {
  return simd::kCellSide * cells + LinearCodes::kRowOfCell;
}

}  // namespace

bool LinearCodes::Begin(int64_t at) {
  at_ = at;
  std::erase_if(codes_, [&](const Code& code) {
    // Either it is finished, or it cannot become one.
    return at - code.last_cells > (code.lines < kLines ? kMostApart : kKept);
  });
  return at % 2 == 0 || !codes_.empty();
}

// Looks between each two quiet zones.
void LinearCodes::Add(BarEdges& found) {
  const std::span<const int32_t> all = found.columns();
  int32_t light_since = found.light_since();
  for (size_t first = 0, end = 0; first + kFewestEdges <= all.size();
       first = end) {
    end = first + 2;
    const int32_t before = all[first] - light_since;
    // A module is a pixel or more.
    if (before >= kQuietLeast) {
      const int32_t quiet = QuietOf(all.subspan(first));
      if (before >= quiet) {
        while (end < all.size() && all[end] - all[end - 1] < quiet) end += 2;
        const int32_t light_to = end < all.size() ? all[end] : found.light_to();
        const int32_t after = light_to - all[end - 1];
        if (after >= quiet) AddBars(found, first, end, std::min(before, after));
      }
    }
    light_since = all[end - 1];
  }
  for (const PatternLine& line : FindPatternLines(found)) {
    AddLine(line.edges, line.quiet, found.light_from(), line.is_stacked);
  }
}

// beside: columns of quiet zone.
void LinearCodes::AddBars(BarEdges& found, size_t first, size_t end,
                          int32_t beside) {
  if (!MayBeCode(end - first) || end - first > kMostEdges) return;
  const std::span<const int64_t> bars = found.Places(first, end - first);
  const int64_t module = ModuleOf(bars);
  if (module == 0) return;
  AddLine(bars, std::min(beside * kPixel, kQuietBeside * module),
          found.light_from(), false);
}

bool LinearCodes::Follows(const Code& code,
                          std::span<const int64_t> edges) const {
  const int64_t apart = at_ - code.last_cells;
  if (apart > kMostApart || apart < 1) return false;
  if (code.last.size() != edges.size()) return false;
  int64_t moved = 0;
  for (size_t i = 0; i < edges.size(); ++i) moved += edges[i] - code.last[i];
  moved /= static_cast<int64_t>(edges.size());
  // 5 degrees, and an error.
  if (std::abs(moved) > apart * kPixel * 7 / 10 + kPixel / 2) return false;
  for (size_t i = 0; i < edges.size(); ++i) {
    if (std::abs(edges[i] - code.last[i] - moved) > kMove) return false;
  }
  return true;
}

void LinearCodes::AddLine(std::span<const int64_t> edges, int64_t quiet,
                          uint16_t light_from, bool is_stacked) {
  const auto found = std::ranges::find_if(codes_, [&](const Code& code) {
    return code.is_stacked == is_stacked && Follows(code, edges);
  });
  if (found == codes_.end() ||
      (found->lines < kLines && at_ - found->first_cells >= kLinesWithin)) {
    const std::vector<int64_t> line(edges.begin(), edges.end());
    codes_.push_back(
        {at_, at_, 1, quiet, light_from, line, line, {}, {}, is_stacked});
    return;
  }
  ++found->lines;
  found->quiet = std::min(found->quiet, quiet);
  found->last_cells = at_;
  found->last.assign(edges.begin(), edges.end());
  if (found->lines != kLines) return;
  found->light_from = LightFromOf(*found);
  // Rows above may have been printed by then.
  if (!FindReach(*found, -1, found->above)) codes_.erase(found);
}

// Judged from the rows between its lines.
uint16_t LinearCodes::LightFromOf(const Code& code) const {
  CodeLight light(rows_);
  for (int64_t row = RowOf(code.first_cells); row <= RowOf(code.last_cells);
       ++row) {
    const int64_t by = Cross(code, row).by;
    light.AddRow(row, code.first.front() + by, code.first.back() + by);
  }
  return light.LightFrom();
}

// In 1/256 of a place per row.
int64_t LinearCodes::LeanOf(const Code& code) {
  const int64_t moved = code.last.front() - code.first.front() +
                        code.last.back() - code.first.back();
  return moved * kPixel / 2 /
         (RowOf(code.last_cells) - RowOf(code.first_cells));
}

// For how many rows above or below a row a bar is dark; -1 if that is not
// known.
int64_t LinearCodes::DarkRows(const Code& code, int64_t row, int64_t x,
                              int step) const {
  const int64_t lean = LeanOf(code);
  for (int64_t count = 0; count < kMostBeyond; ++count) {
    row += step;
    const std::byte* const bytes = row < 0 ? nullptr : rows_.Row(row);
    if (!bytes) return row < 0 || step > 0 ? count : -1;
    // The darker of the two pixels that are nearest.
    const int64_t at = x + step * (count + 1) * lean / kPixel - kPixel / 2;
    const int64_t left =
        std::clamp(at / kPixel, int64_t{0}, rows_.columns() - 1);
    const int64_t right = std::min(left + 1, rows_.columns() - 1);
    if (std::min(rows_.At(bytes, left), rows_.At(bytes, right)) >=
        code.light_from) {
      return count;
    }
  }
  return step > 0 ? kMostBeyond : -1;
}

// The reach of each bar, at least that of the two on either side. False if that
// is not known.
bool LinearCodes::FindReach(const Code& code, int step,
                            std::vector<int64_t>& reach) const {
  const auto& edges = step > 0 ? code.last : code.first;
  const int64_t row = RowOf(step > 0 ? code.last_cells : code.first_cells);
  std::vector<int64_t> rows;
  for (size_t i = 0; i < edges.size(); i += 2) {
    const int64_t count =
        DarkRows(code, row, (edges[i] + edges[i + 1]) / 2, step);
    if (count < 0) return false;
    rows.push_back(count + kBlurred);
  }
  reach.clear();
  if (code.is_stacked) {
    // The outer bars, the widest among them, belong to one pattern each.
    const auto middle = rows.begin() + std::ssize(rows) / 2;
    reach = {*std::max_element(rows.begin(), middle),
             *std::max_element(middle + 1, rows.end())};
    return true;
  }
  for (size_t i = 0; i < rows.size(); ++i) {
    const auto from = rows.begin() + static_cast<std::ptrdiff_t>(i);
    reach.push_back(*std::max_element(
        from - static_cast<std::ptrdiff_t>(std::min(i, kBarsBeside)),
        from + static_cast<std::ptrdiff_t>(
                   std::min(kBarsBeside + 1, rows.size() - i))));
  }
  return true;
}

LinearCodes::Crossing LinearCodes::Cross(const Code& code, int64_t row) {
  const int64_t first = RowOf(code.first_cells), last = RowOf(code.last_cells);
  const bool is_below = row > last;
  const int64_t from_line = is_below ? row - last : row - first;
  return {.edges = is_below ? code.last : code.first,
          .reach = is_below ? code.below : code.above,
          .away = row >= first && row <= last ? 0 : std::abs(from_line),
          .by = from_line * LeanOf(code) / kPixel};
}

void LinearCodes::AddStretch(const Code& code, int64_t from, int64_t to,
                             std::vector<CodeStretch>& stretches) const {
  const auto column = [this](int64_t place) {
    return static_cast<size_t>(
        std::clamp(place / kPixel, int64_t{0}, rows_.columns()));
  };
  if (column(from) < column(to)) {
    stretches.push_back({column(from), column(to), code.light_from});
  }
}

void LinearCodes::AddStackedRow(const Code& code, int64_t row,
                                std::vector<CodeStretch>& stretches) const {
  const auto [edges, reach, away, by] = Cross(code, row);
  int64_t from = edges.front() - code.quiet, to = edges.back() + code.quiet;
  const int64_t wide = edges.back() - edges.front();
  if (away > 0 && away > reach[0] && away > reach[1]) return;
  if (away > 0 && away > reach[0]) {
    from = edges.front() + wide * (away - reach[0]) / (reach[1] - reach[0]);
  } else if (away > 0 && away > reach[1]) {
    to = edges.back() - wide * (away - reach[1]) / (reach[0] - reach[1]);
  }
  AddStretch(code, from + by, to + by, stretches);
}

void LinearCodes::AddRow(const Code& code, int64_t row,
                         std::vector<CodeStretch>& stretches) const {
  const auto [edges, reach, away, by] = Cross(code, row);
  for (size_t i = 0; i < edges.size(); i += 2) {
    if (away > 0 && away > reach[i / 2]) continue;
    const int64_t from = i == 0 ? edges[0] - code.quiet : edges[i - 1];
    const int64_t to =
        i + 2 == edges.size() ? edges[i + 1] + code.quiet : edges[i + 2];
    AddStretch(code, from + by, to + by, stretches);
  }
}

void LinearCodes::AddStretches(int64_t row,
                               std::vector<CodeStretch>& stretches) {
  for (Code& code : codes_) {
    if (code.lines < kLines) continue;
    if (row > RowOf(code.last_cells) && code.below.empty()) {
      FindReach(code, 1, code.below);
    }
    if (code.is_stacked) {
      AddStackedRow(code, row, stretches);
    } else {
      AddRow(code, row, stretches);
    }
  }
}

}  // namespace halftoned
