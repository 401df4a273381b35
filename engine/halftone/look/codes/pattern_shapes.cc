// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/codes/pattern_shapes.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <utility>

#include "halftone/look/codes/bar_shapes.h"

namespace halftoned {
namespace {

using PatternEdges = std::span<const int64_t>;
using Columns = std::span<const int32_t>;

constexpr int64_t kPatternQuiet = 2, kMostQuiet = 10;  // modules
constexpr int64_t kSymbol = 17;                        // modules of PDF417
constexpr int64_t kWidestSpace = 6, kWidestBar417 = 8, kWidestDataBar = 9;
constexpr int64_t kFewestSymbols = 4;
constexpr int32_t kColumnsOff = 4;       // of a distance between two edges
constexpr size_t kElements = 8;          // of a symbol
constexpr size_t kFewestOfDataBar = 46;  // edges

constexpr std::array kStart417 = {9, 2, 2, 2, 2, 2};
constexpr std::array kStop417 = {8, 2, 4, 4, 2, 2, 3, 3};
constexpr std::array kTurnedStart417 = {2, 2, 2, 2, 2, 9};
constexpr std::array kTurnedStop417 = {3, 3, 2, 2, 4, 4, 2, 8};

// The module if the first edges have these pairs, else 0.
int64_t ModuleOfPairs(PatternEdges edges, std::span<const int> pairs) {
  if (edges.size() < pairs.size() + 2) return 0;
  int64_t sum = 0;
  for (size_t i = 0; i < pairs.size(); ++i) sum += edges[i + 2] - edges[i];
  const int64_t module =
      sum / std::accumulate(pairs.begin(), pairs.end(), int64_t{0});
  return module >= kPixel && ArePairs(edges, 0, pairs, module) ? module : 0;
}

// Whether two distances, in columns, are as `one` to `other` modules, roughly.
bool MayBe(int32_t distance, int32_t one, int32_t beside, int32_t other) {
  const int32_t off = std::abs(distance * other - beside * one);
  return 3 * off <= distance * other + 6 * (one + other);
}

// Looks only at columns, because exact places take longer to find.
bool MayBegin417(Columns columns) {
  const int32_t bar = columns[1] - columns[0];
  const int32_t four = columns[6] - columns[2];
  if (bar >= kWidestBar417 && MayBe(columns[2] - columns[0], 9, four, 4)) {
    return std::abs(2 * (columns[4] - columns[2]) - four) <= 2 * kColumnsOff;
  }
  const int32_t wide = columns[9] - columns[8];
  return wide >= kWidestBar417 &&
         MayBe(columns[9] - columns[7], 8, columns[4] - columns[0], 5) &&
         MayBe(columns[9] - columns[7], 8, columns[8] - columns[6], 2);
}

// A pair of patterns, and the edges that are whole symbols apart.
struct Patterns417 {
  std::span<const int> begin, end;
  size_t from, to;
};
constexpr Patterns417 kPatterns417[] = {
    {kStart417, kStop417, 0, 0},
    {kTurnedStop417, kTurnedStart417, 9, 7},
};

// Whether the edges between both patterns may be those of symbols.
bool AreSymbols(PatternEdges edges, int64_t symbols, int64_t module) {
  const auto count = static_cast<int64_t>(edges.size());
  if (count < 5 * symbols || count > 11 * symbols) return false;
  for (size_t i = 1; i < edges.size(); ++i) {
    if (edges[i] - edges[i - 1] > kWidestSpace * module + module / 2 + kPixel) {
      return false;
    }
  }
  return true;
}

class Row417 {
 public:
  explicit Row417(BarEdges& found) : found_(found) {}

  std::optional<PatternLine> At(size_t first) {
    for (const Patterns417& each : kPatterns417) {
      const size_t count = each.begin.size() + 2;
      if (first + count > all_.size()) continue;
      const auto places = found_.Places(first, count);
      const int64_t module = ModuleOfPairs(places, each.begin);
      if (module == 0) continue;
      begin_.assign(places.begin(), places.end());
      if (auto line = EndOf(each, first + count, module)) return line;
    }
    return std::nullopt;
  }

 private:
  std::optional<PatternLine> EndOf(const Patterns417& patterns, size_t from,
                                   int64_t module) {
    const auto widest =
        static_cast<int32_t>((kWidestBar417 * module + module) / kPixel + 2);
    const size_t count = patterns.end.size() + 2;
    for (size_t at = from; at + count <= all_.size(); at += 2) {
      if (all_[at] - all_[at - 1] > widest) break;
      const auto places = found_.Places(at, count);
      const int64_t end = ModuleOfPairs(places, patterns.end);
      if (end == 0 || 8 * std::abs(end - module) > module + 4 * kPixel)
        continue;
      const int64_t wide = places[patterns.to] - begin_[patterns.from];
      const int64_t symbols =
          (2 * wide + kSymbol * module) / (2 * kSymbol * module);
      if (symbols < kFewestSymbols) continue;
      PatternLine line{begin_, wide / (kSymbol * symbols), 0, true};
      if (8 * std::abs(line.module - module) > module) continue;
      line.edges.insert(line.edges.end(), places.begin(), places.end());
      if (AreSymbols(found_.Places(from - 1, at - from + 2), symbols - 1,
                     line.module)) {
        last_ = at + count - 1;
        return line;
      }
    }
    return std::nullopt;
  }

 public:
  size_t last() const { return last_; }  // edge of the line

 private:
  BarEdges& found_;
  const Columns all_ = found_.columns();
  std::vector<int64_t> begin_;
  size_t last_ = 0;
};

// The same. Characters have 15 to 17 modules.
bool MayBeginDataBar(const auto& column) {
  const int32_t symbol = column(22) - column(14);
  const auto is_symbol = [&](int32_t distance) {
    return std::abs(distance - symbol) <= symbol / 7 + kColumnsOff;
  };
  return std::abs(column(30) - column(22) - symbol) <= kColumnsOff &&
         is_symbol(column(9) - column(1)) &&
         is_symbol(column(35) - column(30)) &&
         is_symbol(column(43) - column(35)) &&
         MayBe(column(14) - column(12), 2, symbol, 16) &&
         MayBe(column(32) - column(30), 2, symbol, 16);
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
    if (!Is(kElements, ModulesOfNext())) return false;
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

class DataBarRow {
 public:
  explicit DataBarRow(BarEdges& found) : found_(found) {}

  // The code that starts, or with `turned` ends, at an edge.
  std::optional<PatternLine> At(size_t edge, bool turned) {
    const size_t count = turned ? edge + 1 : all_.size() - edge;
    if (count < kFewestOfDataBar) return std::nullopt;
    const auto column = [&](size_t i) {
      return turned ? -all_[edge - i] : all_[edge + i];
    };
    if (!MayBeginDataBar(column)) return std::nullopt;
    const size_t taken = std::min(count, kMostEdges);
    const auto places = found_.Places(turned ? edge + 1 - taken : edge, taken);
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

 private:
  BarEdges& found_;
  const Columns all_ = found_.columns();
};

// Sets the quiet zone; false if it is too narrow.
bool HasQuiet(const BarEdges& found, size_t first, size_t last,
              PatternLine& line) {
  const Columns all = found.columns();
  const int32_t since = first == 0 ? found.light_since() : all[first - 1];
  const int32_t to = last + 1 == all.size() ? found.light_to() : all[last + 1];
  const int64_t beside = std::min(all[first] - since, to - all[last]) * kPixel;
  line.quiet = std::min(beside, kMostQuiet * line.module);
  return beside + kPixel >= kPatternQuiet * line.module;
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

PatternBegin BeginOfDataBar(PatternEdges edges) {
  for (const auto& [guard, is_first, has_finder_first] : kDataBarStarts) {
    for (const bool is_expanded : {false, true}) {
      if (!is_expanded && (!is_first || has_finder_first)) continue;
      DataBarWalk walk{edges, is_expanded};
      walk.at = guard;
      const size_t from = guard + (has_finder_first ? 5 : 0);
      if (from + kElements >= edges.size()) continue;
      walk.module =
          (edges[from + kElements] - edges[from]) / walk.ModulesOfNext();
      if (walk.module < kPixel || !walk.HasGuard() ||
          (has_finder_first && !walk.HasFinder(is_first)) ||
          !walk.Is(kElements, walk.ModulesOfNext()) ||
          (!has_finder_first && !walk.HasFinder(is_first))) {
        continue;
      }
      walk.characters = 1;
      if (walk.at + kElements < edges.size() &&
          !walk.Is(kElements, walk.ModulesOfNext())) {
        continue;
      }
      return {walk.module, walk.at + 1, kWidestDataBar};
    }
  }
  return {};
}

}  // namespace

std::vector<PatternLine> FindPatternLines(BarEdges& found) {
  std::vector<PatternLine> lines;
  const Columns all = found.columns();
  Row417 row(found);
  DataBarRow data_bar(found);
  const auto add = [&](std::optional<PatternLine> line, size_t first,
                       size_t last) {
    if (line && HasQuiet(found, first, last, *line)) {
      lines.push_back(std::move(*line));
    }
  };
  for (size_t i = 0; i + 18 <= all.size(); i += 2) {
    if (MayBegin417(all.subspan(i))) {
      auto line = row.At(i);
      add(std::move(line), i, row.last());
    }
    if (auto line = data_bar.At(i, false)) {
      const size_t count = line->edges.size();
      add(std::move(line), i, i + count - 1);
    }
    const size_t end = all.size() - 1 - i;
    if (auto line = data_bar.At(end, true)) {
      const size_t count = line->edges.size();
      add(std::move(line), end + 1 - count, end);
    }
  }
  return lines;
}

PatternBegin PatternBeginOf(std::span<const int64_t> edges) {
  for (const Patterns417& each : kPatterns417) {
    const int64_t module = ModuleOfPairs(edges, each.begin);
    if (module == 0) continue;
    const size_t count = each.begin.size() + 2;
    const size_t next = each.from == 0 ? count : each.from;
    if (edges.size() <= next + kElements ||
        AreModules(edges[next + kElements] - edges[next], kSymbol, module)) {
      return {module, count, kWidestBar417};
    }
  }
  return BeginOfDataBar(edges);
}

}  // namespace halftoned
