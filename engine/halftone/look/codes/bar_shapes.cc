// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/codes/bar_shapes.h"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

namespace halftoned {
namespace {

constexpr size_t kFewestDifferent = 3;

using Edges = std::span<const int64_t>;

// The elements and modules of each symbol of a code. Elements are 1 to 4
// modules wide.
struct SymbolKind {
  size_t elements;
  int modules;
};
constexpr SymbolKind kOfCode128 = {6, 11}, kOfEan = {4, 7};
constexpr int kWidestElement = 4;

// The symbols of a code with a known module.
class KnownSymbols {
 public:
  KnownSymbols(Edges edges, const SymbolKind& kind, int64_t module)
      : edges_(edges), kind_(kind), module_(module) {}

  // False if no symbol starts at this edge.
  bool Add(size_t at) {
    if (!AreModules(edges_[at + kind_.elements] - edges_[at], kind_.modules,
                    module_) ||
        !AreWhole(at, kind_.elements)) {
      return false;
    }
    if (std::ranges::none_of(
            different_, [&](size_t other) { return AreSame(at, other); })) {
      different_.push_back(at);
    }
    return true;
  }
  // Whether the last elements may be the first ones of a symbol.
  bool MayBegin(size_t at) const {
    const size_t known = edges_.size() - 1 - at;
    const auto count = static_cast<int>(known);
    const auto rest = static_cast<int>(kind_.elements - known);
    const int64_t least =
        std::max(count, kind_.modules - kWidestElement * rest);
    const int64_t most = std::min(kWidestElement * count, kind_.modules - rest);
    const int64_t distance = edges_.back() - edges_[at];
    const int64_t off = module_ / 4 + kPixel * 7 / 4;
    return distance >= least * module_ - off &&
           distance <= most * module_ + off && AreWhole(at, known);
  }
  size_t different() const { return different_.size(); }

 private:
  // Whether edges of one kind are whole modules apart.
  bool AreWhole(size_t at, size_t elements) const {
    const auto others = static_cast<int>(kind_.elements) - 2;
    for (size_t i = at; i + 2 <= at + elements; ++i) {
      const int64_t distance = edges_[i + 2] - edges_[i];
      const int64_t modules = (distance + module_ / 2) / module_;
      if (modules < 2 || modules > kind_.modules - others ||
          !AreModules(distance, modules, module_)) {
        return false;
      }
    }
    return true;
  }
  bool AreSame(size_t one, size_t other) const {
    for (size_t i = 0; i + 2 < kind_.elements; ++i) {
      const int64_t off = edges_[one + i + 2] - edges_[one + i] -
                          edges_[other + i + 2] + edges_[other + i];
      if (2 * std::max(off, -off) > module_) return false;
    }
    return true;
  }

  const Edges edges_;
  const SymbolKind kind_;
  const int64_t module_;
  std::vector<size_t> different_;  // the first edges of symbols that differ
};

int64_t ModuleOfCode128(Edges edges) {
  constexpr size_t kElements = kOfCode128.elements;
  constexpr int kModules = kOfCode128.modules;
  constexpr std::array kStart = {3, 2};
  constexpr std::array kStop = {5, 6, 4, 2, 2, 3};
  const size_t elements = edges.size() - 1;
  if (elements % kElements != 1 || elements < 4 * kElements + 7) return 0;
  const size_t symbols = elements / kElements;
  const int64_t module =
      (edges[symbols * kElements] - edges[0]) / (kModules * int64_t(symbols));
  if (module == 0) return 0;
  KnownSymbols known(edges, kOfCode128, module);
  for (size_t at = 0; at + kElements < edges.size() - 1; at += kElements) {
    if (!known.Add(at)) return 0;
  }
  if (known.different() < kFewestDifferent) return 0;
  if (!ArePairs(edges, 0, kStart, module)) return 0;
  return ArePairs(edges, edges.size() - 8, kStop, module) ? module : 0;
}

int64_t ModuleOfEan(Edges edges) {
  constexpr size_t kElements = kOfEan.elements;
  constexpr int kModules = kOfEan.modules;
  constexpr size_t kGuard = 3, kMiddle = 5;
  constexpr std::array kOuter = {2};
  constexpr std::array kMiddleGuard = {2, 2, 2, 2};
  const size_t elements = edges.size() - 1;
  if (elements != 59 && elements != 43) return 0;
  const size_t half = (elements - 2 * kGuard - kMiddle) / 2;
  const auto all = static_cast<int64_t>(half / kElements * kModules * 2 + 10);
  const int64_t module = (edges[elements - 1] - edges[0]) / all;
  if (module == 0) return 0;
  KnownSymbols known(edges, kOfEan, module);
  for (const size_t first : {kGuard, kGuard + half + kMiddle}) {
    for (size_t at = first; at < first + half; at += kElements) {
      if (!known.Add(at)) return 0;
    }
  }
  const bool has_guards =
      ArePairs(edges, 0, kOuter, module) &&
      ArePairs(edges, kGuard + half, kMiddleGuard, module) &&
      ArePairs(edges, elements - 2, kOuter, module);
  return has_guards && known.different() >= kFewestDifferent ? module : 0;
}

// Widths of ITF elements, either bars or spaces: the widest narrow one, the
// narrowest wide one, and the narrowest and widest of all.
struct Widths {
  int64_t narrow = 0, wide = INT64_MAX;
  int64_t least = INT64_MAX, most = 0;

  // Adds five elements, of which two are wide; returns a bit for each wide one.
  int Add(Edges edges, size_t at) {
    std::array<int64_t, 5> each{};
    for (size_t i = 0; i < each.size(); ++i) {
      each[i] = edges[at + 2 * i + 1] - edges[at + 2 * i];
    }
    std::array<int64_t, 5> sorted = each;
    std::ranges::sort(sorted);
    narrow = std::max(narrow, sorted[2]);
    wide = std::min(wide, sorted[3]);
    least = std::min(least, sorted[0]);
    most = std::max(most, sorted[4]);
    int which = 0;
    for (size_t i = 0; i < each.size(); ++i) {
      which |= each[i] >= sorted[3] ? 1 << i : 0;
    }
    return which;
  }
  bool AreTwoKinds() const { return 4 * wide >= 5 * narrow + 2 * kPixel; }
  // Whether elements of the same kind have similar widths.
  bool AreAlike() const {
    return 4 * std::max(most - wide, narrow - least) <=
           wide - narrow + 3 * kPixel;
  }
};

int64_t ModuleOfItf(Edges edges) {
  constexpr size_t kStart = 4, kPair = 10, kStop = 3;
  const size_t elements = edges.size() - 1;
  if (elements % kPair != kStart + kStop || elements < 3 * kPair) return 0;
  Widths bars, spaces;
  std::set<int> different;
  for (size_t at = kStart; at + kStop < elements; at += kPair) {
    different.insert(bars.Add(edges, at));
    different.insert(spaces.Add(edges, at + 1));
  }
  if (!bars.AreTwoKinds() || !spaces.AreTwoKinds()) return 0;
  if (different.size() < kFewestDifferent) return 0;
  const auto width = [&](size_t at) { return edges[at + 1] - edges[at]; };
  const auto is_narrow = [&](size_t at) {
    const Widths& kind = at % 2 == 0 ? bars : spaces;
    return 2 * width(at) < kind.wide + kind.narrow;
  };
  for (size_t at = 0; at < kStart; ++at) {
    if (!is_narrow(at)) return 0;
  }
  if (is_narrow(elements - 3) || !is_narrow(elements - 2) ||
      !is_narrow(elements - 1)) {
    return 0;
  }
  return (edges[kStart] - edges[0]) / int64_t{kStart};
}

size_t FewestDifferentOf(size_t symbols) {
  return symbols < 2 ? symbols : symbols < 4 ? 2 : kFewestDifferent;
}

// What precedes the symbols of a code, and how many symbols there must be.
struct Begin {
  std::span<const int> pairs;
  size_t elements;
  int modules;
  SymbolKind kind;
  size_t fewest, most;
};

int64_t ModuleOfSymbols(Edges edges, const Begin& begin, bool enough) {
  if (edges.size() <= begin.elements) return 0;
  const size_t symbols = std::min(
      (edges.size() - 1 - begin.elements) / begin.kind.elements, begin.most);
  if (symbols + (enough ? 1 : 0) < begin.fewest) return 0;
  if (edges.size() < begin.pairs.size() + 2) return 0;
  const size_t end = begin.elements + symbols * begin.kind.elements;
  const int64_t modules =
      begin.modules + static_cast<int64_t>(symbols) * begin.kind.modules;
  const int64_t module = (edges[end] - edges[0]) / modules;
  if (module == 0 || !ArePairs(edges, 0, begin.pairs, module)) return 0;
  KnownSymbols known(edges, begin.kind, module);
  for (size_t at = begin.elements; at < end; at += begin.kind.elements) {
    if (!known.Add(at)) return 0;
  }
  if (symbols < begin.most && !known.MayBegin(end)) return 0;
  return known.different() >= FewestDifferentOf(symbols) ? module : 0;
}

int64_t ModuleOfItfBegin(Edges edges, bool is_stop, bool enough) {
  constexpr size_t kPair = 10;
  const size_t before = is_stop ? 3 : 4;
  if (edges.size() <= before) return 0;
  const size_t pairs = (edges.size() - 1 - before) / kPair;
  if (pairs < (enough ? 1u : 2u)) return 0;
  Widths bars, spaces;
  std::set<int> different;
  for (size_t i = 0; i < pairs; ++i) {
    const size_t at = before + i * kPair;
    // A pair starts with a space after a stop, with a bar after a start.
    different.insert((is_stop ? spaces : bars).Add(edges, at));
    different.insert((is_stop ? bars : spaces).Add(edges, at + 1));
  }
  if (!bars.AreTwoKinds() || !spaces.AreTwoKinds()) return 0;
  if (!bars.AreAlike() || !spaces.AreAlike() ||
      different.size() < FewestDifferentOf(2 * pairs))
    return 0;
  for (size_t at = 0; at < before; ++at) {
    const Widths& kind = at % 2 == 0 ? bars : spaces;
    const bool is_wide =
        2 * (edges[at + 1] - edges[at]) >= kind.wide + kind.narrow;
    if (is_wide != (is_stop && at == 2)) return 0;
  }
  return (bars.narrow + spaces.narrow) / 2;
}

}  // namespace

bool AreModules(int64_t distance, int64_t modules, int64_t module) {
  const int64_t off = distance - modules * module;
  return std::max(off, -off) <= module / 4 + kPixel * 3 / 4;
}

bool ArePairs(std::span<const int64_t> edges, size_t at,
              std::span<const int> pairs, int64_t module) {
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (!AreModules(edges[at + i + 2] - edges[at + i], pairs[i], module)) {
      return false;
    }
  }
  return true;
}

int64_t ModuleOfBegin(std::span<const int64_t> edges, bool enough) {
  constexpr std::array kStartA = {3, 2, 5, 5, 3}, kStartB = {3, 2, 3, 3, 5},
                       kStartC = {3, 2, 3, 5, 5};
  constexpr std::array kTurnedStop = {3, 2, 2, 4, 6, 5};
  constexpr std::array kGuard = {2, 2};
  const Begin begins[] = {{kStartA, 0, 0, kOfCode128, 2, SIZE_MAX},
                          {kStartB, 0, 0, kOfCode128, 2, SIZE_MAX},
                          {kStartC, 0, 0, kOfCode128, 2, SIZE_MAX},
                          {kTurnedStop, 7, 13, kOfCode128, 1, SIZE_MAX},
                          {kGuard, 3, 3, kOfEan, 3, 4}};
  int64_t module = 0;
  for (const Begin& begin : begins) {
    module = std::max(module, ModuleOfSymbols(edges, begin, enough));
  }
  for (const bool is_stop : {false, true}) {
    module = std::max(module, ModuleOfItfBegin(edges, is_stop, enough));
  }
  return module >= kPixel ? module : 0;
}

bool MayBeCode(size_t edges) {
  if (edges < kFewestEdges || edges % 2 != 0) return false;
  const size_t elements = edges - 1;
  return elements % kOfCode128.elements == 1 || elements % 10 == 7 ||
         elements == 43 || elements == 59;
}

int64_t ModuleOf(std::span<const int64_t> edges) {
  if (!MayBeCode(edges.size())) return 0;
  std::vector<int64_t> turned(edges.rbegin(), edges.rend());
  for (int64_t& edge : turned) edge = -edge;
  for (const Edges each : {edges, Edges(turned)}) {
    for (const auto find : {ModuleOfCode128, ModuleOfEan, ModuleOfItf}) {
      if (const int64_t module = find(each); module >= kPixel) return module;
    }
  }
  return 0;
}

}  // namespace halftoned
