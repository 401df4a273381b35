// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/codes/pattern_shapes.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <utility>

#include "halftone/look/codes/bar_shapes.h"
#include "halftone/look/codes/data_bar_shapes.h"

namespace halftoned {
namespace {

using PatternEdges = std::span<const int64_t>;
using Columns = std::span<const int32_t>;

constexpr int64_t kPatternQuiet = 2, kMostQuiet = 10;  // modules
constexpr int64_t kSymbol = 17;                        // modules of PDF417
constexpr int64_t kWidestSpace = 6, kWidestBar417 = 8;
constexpr int64_t kFewestSymbols = 4;

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

// Looks only at columns, because exact places take longer to find.
bool MayBegin417(Columns columns) {
  const int32_t bar = columns[1] - columns[0];
  const int32_t four = columns[6] - columns[2];
  if (bar >= kWidestBar417 && HaveRatio(columns[2] - columns[0], 9, four, 4)) {
    return std::abs(2 * (columns[4] - columns[2]) - four) <= 2 * kColumnsOff;
  }
  const int32_t wide = columns[9] - columns[8];
  return wide >= kWidestBar417 &&
         HaveRatio(columns[9] - columns[7], 8, columns[4] - columns[0], 5) &&
         HaveRatio(columns[9] - columns[7], 8, columns[8] - columns[6], 2);
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

}  // namespace

bool HaveRatio(int32_t distance, int32_t one, int32_t beside, int32_t other) {
  const int32_t off = std::abs(distance * other - beside * one);
  return 3 * off <= distance * other + 6 * (one + other);
}

std::vector<PatternLine> FindPatternLines(BarEdges& found) {
  std::vector<PatternLine> lines;
  const Columns all = found.columns();
  Row417 row(found);
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
    if (all.size() - i < kFewestOfDataBar) continue;
    for (const bool turned : {false, true}) {
      const size_t edge = turned ? all.size() - 1 - i : i;
      if (!MayBeDataBar(all, edge, turned)) continue;
      if (auto line = DataBarAt(found, edge, turned)) {
        const size_t more = line->edges.size() - 1;
        const size_t first = turned ? edge - more : edge;
        add(std::move(line), first, first + more);
      }
    }
  }
  return lines;
}

PatternBegin PatternBeginOf(std::span<const int64_t> edges, int64_t seen) {
  for (const Patterns417& each : kPatterns417) {
    const int64_t module = ModuleOfPairs(edges, each.begin);
    if (module == 0) continue;
    const size_t count = each.begin.size() + 2;
    const size_t next = each.from == 0 ? count : each.from;
    if (edges.size() <= next + kSymbolElements ||
        AreModules(edges[next + kSymbolElements] - edges[next], kSymbol,
                   module)) {
      return {module, count, kWidestBar417};
    }
  }
  return BeginOfDataBar(edges, seen);
}

}  // namespace halftoned
