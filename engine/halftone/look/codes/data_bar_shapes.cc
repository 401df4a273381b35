// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/codes/data_bar_shapes.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <utility>

#include "halftone/look/codes/bar_shapes.h"

namespace halftoned {
namespace {

using PatternEdges = std::span<const int64_t>;

constexpr int64_t kWidestDataBar = 9;  // modules

constexpr int64_t kWideOfFinder = 5;  // modules

// Looks only at columns, because exact places take longer to find. Characters
// have 15 to 17 modules.
bool MayBeginDataBar(const auto& column) {
  const int32_t symbol = column(22) - column(14);
  const auto is_symbol = [&](int32_t distance) {
    return std::abs(distance - symbol) <= symbol / 7 + kColumnsOff;
  };
  return std::abs(column(30) - column(22) - symbol) <= kColumnsOff &&
         is_symbol(column(9) - column(1)) &&
         is_symbol(column(35) - column(30)) &&
         is_symbol(column(43) - column(35)) &&
         HaveRatio(column(14) - column(12), 2, symbol, 16) &&
         HaveRatio(column(32) - column(30), 2, symbol, 16);
}

// Whether a distance between edges of different kinds is this many modules.
bool AreMixed(int64_t distance, int64_t modules, int64_t module) {
  const int64_t off = std::abs(distance - modules * module);
  return off <= module / 4 + kPixel * 7 / 4;
}

// All finders that end with 1 1, of the omnidirectional and of the expanded
// code.
using FinderWidths = std::array<int64_t, 5>;
constexpr FinderWidths kFinders[] = {
    {3, 8, 2, 1, 1}, {3, 5, 5, 1, 1}, {3, 3, 7, 1, 1},
    {3, 1, 9, 1, 1}, {2, 7, 4, 1, 1}, {2, 5, 6, 1, 1},
    {2, 3, 8, 1, 1}, {1, 5, 7, 1, 1}, {1, 3, 9, 1, 1}};
constexpr FinderWidths kFindersOfExpanded[] = {
    {1, 8, 4, 1, 1}, {3, 6, 4, 1, 1}, {3, 4, 6, 1, 1},
    {3, 2, 8, 1, 1}, {2, 6, 5, 1, 1}, {2, 2, 9, 1, 1}};

// is_first: the finder ends with 1 1; otherwise, it begins with 1 1.
struct FinderKind {
  bool is_expanded, is_first;

  // Whether `fits` is true for the widths of any finder.
  bool AnyFits(const auto& fits) const {
    const auto all = is_expanded
                         ? std::span<const FinderWidths>(kFindersOfExpanded)
                         : std::span<const FinderWidths>(kFinders);
    return std::ranges::any_of(all, [&](FinderWidths widths) {
      if (!is_first) std::ranges::reverse(widths);
      return fits(widths);
    });
  }
};

// Whether the edges of one kind, from `at` to `end`, are those of a finder.
bool AreOfFinder(PatternEdges edges, size_t at, size_t end,
                 const FinderWidths& widths, int64_t module) {
  for (size_t i = 0; at + i + 2 <= end; ++i) {
    if (!AreModules(edges[at + i + 2] - edges[at + i],
                    widths[i] + widths[i + 1], module)) {
      return false;
    }
  }
  return true;
}

// Whether a finder starts at an edge.
bool IsFinder(PatternEdges edges, size_t at, FinderKind kind, int64_t module) {
  // Leaves out a module at one end.
  const size_t most = kind.is_first ? at : at + 1;
  return AreModules(edges[most + 4] - edges[most], 14, module) &&
         kind.AnyFits([&](const FinderWidths& widths) {
           return AreOfFinder(edges, at, at + 5, widths, module);
         });
}

// Characters and finders from the first edge on, as far as they go.
struct DataBarWalk {
  PatternEdges edges;
  bool is_expanded;
  int64_t module = 0;
  size_t at = 1;
  size_t characters = 0;

  bool Is(size_t elements, int64_t modules) {
    if (at + elements >= edges.size() ||
        !AreModules(edges[at + elements] - edges[at], modules, module)) {
      return false;
    }
    at += elements;
    return true;
  }
  bool HasFinder(bool is_first) {
    if (at + 5 >= edges.size() ||
        !IsFinder(edges, at, {is_expanded, is_first}, module)) {
      return false;
    }
    at += 5;
    return true;
  }
  int64_t ModulesOfNext() const {
    if (is_expanded) return 17;
    return characters == 0 || characters == 3 ? 16 : 15;
  }
  // Whether all elements so far are one module wide.
  bool HasGuard() const {
    for (size_t i = 0; i < at; ++i) {
      if (!AreMixed(edges[i + 1] - edges[i], 1, module)) return false;
    }
    return true;
  }
  bool Next() {
    if (!Is(kSymbolElements, ModulesOfNext())) return false;
    ++characters;
    if (!is_expanded) {
      return (characters != 1 && characters != 3) || HasFinder(characters == 1);
    }
    return characters % 2 == 0 || HasFinder(characters % 4 == 1);
  }
};

// The number of edges of a code from the first one on, and its module.
std::optional<std::pair<size_t, int64_t>> DataBarOf(PatternEdges edges) {
  for (const bool is_expanded : {false, true}) {
    DataBarWalk walk{edges, is_expanded};
    walk.module = (edges[30] - edges[14]) / (is_expanded ? 34 : 30);
    if (walk.module < kPixel || !walk.HasGuard()) continue;
    for (DataBarWalk next = walk;
         next.characters < (is_expanded ? 22u : 4u) && next.Next();) {
      walk = next;
    }
    // The second element of the guard may be a space.
    const size_t last = walk.at + (walk.at % 2 == 0 ? 1 : 2);
    if (walk.characters < 4 || last >= edges.size()) continue;
    bool has_guard = true;
    for (size_t i = walk.at; i < last; ++i) {
      has_guard &= AreMixed(edges[i + 1] - edges[i], 1, walk.module);
    }
    if (has_guard) return std::pair(last + 1, walk.module);
  }
  return std::nullopt;
}

// How a code may start, from its left or from its right end.
struct DataBarStart {
  size_t guard;   // elements
  bool is_first;  // as in FinderKind
  bool has_finder_first;
};
constexpr DataBarStart kDataBarStarts[] = {{1, true, false},
                                           {2, true, false},
                                           {1, false, false},
                                           {1, false, true},
                                           {2, true, true}};

constexpr size_t kFewestDifferentPairs = 3;
// Two symbols with smaller modules are known whole.
constexpr int64_t kLeastOfPart = 3 * kPixel;

// Whether edges of one kind are whole modules apart, no element is much
// narrower than a module, and nothing repeats.
bool AreWhole(PatternEdges edges, int64_t module) {
  std::set<int64_t> different;
  for (size_t i = 0; i + 2 < edges.size(); ++i) {
    const int64_t distance = edges[i + 2] - edges[i];
    const int64_t modules = (distance + module / 2) / module;
    const int64_t off = std::abs(distance - modules * module);
    if (modules < 2 || off > module / 8 + kPixel / 2 ||
        4 * (edges[i + 1] - edges[i] + kPixel) < 3 * module + kPixel) {
      return false;
    }
    different.insert(modules);
  }
  return different.size() >= kFewestDifferentPairs;
}

// The modules of the odd elements of a character at the end of a code, which
// has that many modules in all, and how wide the widest of them may be. The
// even elements have the rest; the two widest have 9 modules together.
struct CharacterKind {
  int64_t modules, odd, widest;
};
constexpr int64_t kBothWidest = 9;
constexpr CharacterKind kCharacters[] = {
    {17, 12, 7}, {17, 10, 5}, {17, 8, 4}, {17, 6, 3}, {17, 4, 1},
    {16, 12, 8}, {16, 10, 6}, {16, 8, 4}, {16, 6, 3}, {16, 4, 1}};

// Whether these elements are a character, read in either direction.
bool AreCharacter(std::span<const int64_t> widths) {
  std::array<int64_t, 2> sums{}, widest{};
  for (size_t i = 0; i < widths.size(); ++i) {
    if (widths[i] < 1) return false;
    sums[i % 2] += widths[i];
    widest[i % 2] = std::max(widest[i % 2], widths[i]);
  }
  return std::ranges::any_of(kCharacters, [&](const CharacterKind& kind) {
    if (sums[0] + sums[1] != kind.modules) return false;
    return std::ranges::any_of(std::array{0, 1}, [&](size_t odd) {
      return sums[odd] == kind.odd && widest[odd] <= kind.widest &&
             widest[1 - odd] <= kBothWidest - kind.widest;
    });
  });
}

// Whether a character starts at an edge. Distances between edges of one kind
// are rounded to whole modules; with the first element, they determine all.
bool IsCharacter(PatternEdges edges, size_t at, int64_t module) {
  std::array<int64_t, kSymbolElements> widths{};
  for (int64_t first = 1; first < kBothWidest; ++first) {
    if (!AreMixed(edges[at + 1] - edges[at], first, module)) continue;
    widths[0] = first;
    for (size_t i = 1; i < kSymbolElements; ++i) {
      const int64_t pair = edges[at + i + 1] - edges[at + i - 1];
      widths[i] = (pair + module / 2) / module - widths[i - 1];
    }
    if (AreCharacter(widths)) return true;
  }
  return false;
}

// Whether a finder whose end is not known may start at an edge. One element of
// it is wide.
bool MayBeginFinder(PatternEdges edges, size_t at, FinderKind kind,
                    int64_t seen, int64_t module) {
  const size_t last = edges.size() - 1;
  if (last < at + (kind.is_first ? 1 : 3)) return false;
  int64_t widest = seen - edges[last];
  for (size_t i = at; i < last; ++i) {
    widest = std::max(widest, edges[i + 1] - edges[i]);
  }
  if (widest < kWideOfFinder * module - module / 2) return false;
  return kind.AnyFits([&](const FinderWidths& widths) {
    const size_t known = last - at;
    const int64_t most = (widths[known - 1] + widths[known]) * module;
    return AreMixed(edges[at + 1] - edges[at], widths[0], module) &&
           AreOfFinder(edges, at, last, widths, module) &&
           seen - edges[last - 1] <= most + module / 2;
  });
}

// How a code starts whose second symbol is not known completely; 0 edges if it
// is no code.
size_t PartOfDataBar(const DataBarStart& start, DataBarWalk& walk,
                     int64_t seen) {
  const PatternEdges edges = walk.edges;
  walk.at = start.guard;
  if (!start.has_finder_first) {
    const int64_t modules = walk.ModulesOfNext();
    const size_t after = walk.at + kSymbolElements;
    if (after >= edges.size() || after + 5 < edges.size()) return 0;
    walk.module = (edges[walk.at + kSymbolElements] - edges[walk.at]) / modules;
    const bool has_guard = walk.module >= kLeastOfPart && walk.HasGuard();
    walk.at += kSymbolElements;
    return has_guard && IsCharacter(edges, start.guard, walk.module) &&
                   MayBeginFinder(edges, walk.at,
                                  {walk.is_expanded, start.is_first}, seen,
                                  walk.module) &&
                   AreWhole(edges.first(walk.at + 2), walk.module)
               ? walk.at + 1
               : 0;
  }
  constexpr size_t kAfterFinder = 3;
  if (walk.at + 5 + kAfterFinder >= edges.size() ||
      walk.at + 5 + kSymbolElements < edges.size()) {
    return 0;
  }
  const size_t from = walk.at + (start.is_first ? 0 : 1);
  walk.module = (edges[from + 4] - edges[from]) / 14;
  return walk.module >= kLeastOfPart && walk.HasGuard() &&
                 walk.HasFinder(start.is_first) && AreWhole(edges, walk.module)
             ? walk.at + 1
             : 0;
}

}  // namespace

std::optional<PatternLine> DataBarAt(BarEdges& found, size_t edge,
                                     bool turned) {
  const std::span<const int32_t> all = found.columns();
  const size_t count = turned ? edge + 1 : all.size() - edge;
  if (count < kFewestOfDataBar) return std::nullopt;
  const auto column = [&](size_t i) {
    return turned ? -all[edge - i] : all[edge + i];
  };
  if (!MayBeginDataBar(column)) return std::nullopt;
  const size_t taken = std::min(count, kMostEdges);
  const auto places = found.Places(turned ? edge + 1 - taken : edge, taken);
  std::vector<int64_t> edges(places.begin(), places.end());
  const auto turn = [&] {
    std::ranges::reverse(edges);
    for (int64_t& each : edges) each = -each;
  };
  if (turned) turn();
  const auto code = DataBarOf(edges);
  if (!code) return std::nullopt;
  edges.resize(code->first);
  if (turned) turn();
  return PatternLine{std::move(edges), code->second, 0, false};
}

PatternBegin BeginOfDataBar(PatternEdges edges, int64_t seen) {
  for (const DataBarStart& start : kDataBarStarts) {
    const auto& [guard, is_first, has_finder_first] = start;
    for (const bool is_expanded : {false, true}) {
      if (!is_expanded && (!is_first || has_finder_first)) continue;
      if (seen != 0) {
        DataBarWalk part{edges, is_expanded};
        if (const size_t count = PartOfDataBar(start, part, seen)) {
          return {part.module, count, kWidestDataBar};
        }
      }
      DataBarWalk walk{edges, is_expanded};
      walk.at = guard;
      const size_t from = guard + (has_finder_first ? 5 : 0);
      if (from + kSymbolElements >= edges.size()) continue;
      walk.module =
          (edges[from + kSymbolElements] - edges[from]) / walk.ModulesOfNext();
      if (walk.module < kPixel || !walk.HasGuard() ||
          (has_finder_first && !walk.HasFinder(is_first)) ||
          !walk.Is(kSymbolElements, walk.ModulesOfNext()) ||
          (!has_finder_first && !walk.HasFinder(is_first))) {
        continue;
      }
      walk.characters = 1;
      if (walk.at + kSymbolElements < edges.size() &&
          !walk.Is(kSymbolElements, walk.ModulesOfNext())) {
        continue;
      }
      return {walk.module, walk.at + 1, kWidestDataBar};
    }
  }
  return {};
}

}  // namespace halftoned
