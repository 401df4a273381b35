// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/codes/data_bar_shapes.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>

#include "halftone/look/codes/bar_shapes.h"

namespace halftoned {
namespace {

using PatternEdges = std::span<const int64_t>;

constexpr int64_t kWidestDataBar = 9;  // modules

constexpr size_t kFewestOfDataBar = 46;  // edges
// Widths of two elements of a finder, and of the wider one, in modules.
constexpr int64_t kNarrowestPair = 10, kWidestPair = 12, kWideOfFinder = 5;

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

// Whether a distance between edges of different kinds is that many modules.
bool AreMixed(int64_t distance, int64_t modules, int64_t module) {
  const int64_t off = std::abs(distance - modules * module);
  return off <= module / 4 + kPixel * 7 / 4;
}

// Whether a finder starts at an edge. is_first: it ends with 1 1, else it
// begins so.
bool IsFinder(PatternEdges edges, size_t at, bool is_first, int64_t module) {
  const size_t narrow = is_first ? at + 3 : at;
  const size_t wide = is_first ? at + 1 : at + 2;
  const size_t most = is_first ? at : at + 1;  // without a module at one end
  const int64_t both = edges[wide + 2] - edges[wide];
  return AreModules(edges[narrow + 2] - edges[narrow], 2, module) &&
         AreModules(edges[most + 4] - edges[most], 14, module) &&
         (AreModules(both, 10, module) || AreModules(both, 11, module) ||
          AreModules(both, 12, module));
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
    if (at + 5 >= edges.size() || !IsFinder(edges, at, is_first, module)) {
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
  bool is_first;  // as in IsFinder
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

// Whether a finder whose end is not known may start at an edge. Two elements of
// a finder are 10 to 12 modules, and one of them is wide. is_first: as above.
bool MayBeginFinder(PatternEdges edges, size_t at, bool is_first, int64_t seen,
                    int64_t module) {
  if (!is_first) {
    if (at + 2 >= edges.size() ||
        !AreModules(edges[at + 2] - edges[at], 2, module)) {
      return false;
    }
    ++at;
  }
  if (at + 1 >= edges.size()) return false;
  const auto end_of = [&](size_t edge) {
    return edge + 1 < edges.size() ? edges[edge + 1] : seen;
  };
  const int64_t first = edges[at + 1] - edges[at];
  if (!AreMixed(first, 1, module) && !AreMixed(first, 2, module) &&
      !AreMixed(first, 3, module)) {
    return false;
  }
  int64_t widest = end_of(at + 1) - edges[at + 1];
  if (at + 2 < edges.size()) {
    const int64_t both = edges[at + 2] - edges[at];
    const int64_t modules = (both + module / 2) / module;
    const int64_t next = end_of(at + 2) - edges[at + 2];
    const int64_t wide = widest + next;
    const bool is_known = at + 3 < edges.size();
    if (modules < 4 || modules > 11 ||
        wide > kWidestPair * module + module / 2 ||
        (is_known && 2 * wide < (2 * kNarrowestPair - 1) * module)) {
      return false;
    }
    widest = std::max(widest, next);
  }
  return widest >= kWideOfFinder * module - module / 2 &&
         widest <= kWidestDataBar * module + module / 2;
}

// How a code starts of which the second symbol is not known whole; edges: 0 if
// it is none.
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
    return has_guard &&
                   MayBeginFinder(edges, walk.at, start.is_first, seen,
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
