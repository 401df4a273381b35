// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/halftone/look/edges_definition.h"

#include <algorithm>
#include <type_traits>

namespace halftoned {
namespace {

// Rows and columns, ends included.
struct Area {
  int top, bottom, left, right;
};

class Definition {
 public:
  Definition(const SamplePage& page, const ToneCurve& curve)
      : page_(page),
        curve_(curve),
        highest_(page.depth == Depth::k8 ? 255 : 65535),
        falls_(curve.table().front() == kWhite) {
    for (const uint16_t a : page.samples) {
      values_.push_back(ValueOf(a));
    }
    const auto& table = curve.table();
    is_needed_ = std::min(table.front(), table.back()) == 0 &&
                 std::max(table.front(), table.back()) == kWhite;
    is_light_ =
        OfCells([&](int y, int x) { return !Has<IsNotLight>(PixelsOf(y, x)); });
    is_dark_ =
        OfCells([&](int y, int x) { return Has<IsDark>(PixelsOf(y, x)); });
    extremes_ =
        OfCells([&](int y, int x) { return ExtremesOf(PixelsOf(y, x)); });
    has_edge_ = OfCells(
        [&](int y, int x) { return IsNearPaper(y, x) && IsNearDark(y, x); });
  }

  SamplePage Made(TextEdges edges, bool darkens_strokes) const {
    SamplePage made = page_;
    if (edges == TextEdges::kOff || !is_needed_) return made;
    std::vector<Code> code;
    std::vector<Counts> counts;
    if (edges == TextEdges::kBarcode) {
      counts = OfCells([&](int y, int x) { return CountsOf(y, x); });
      code = Codes(counts);
    }
    for (int i = 0; i < page_.rows; ++i) {
      for (int j = 0; j < page_.width; ++j) {
        const int value = Value(i, j);
        if (value == 0 || value == kWhite) continue;
        const Code in = code.empty() ? Code::kNone : code[Cell(i / 8, j / 8)];
        if (in == Code::kAllLight || in == Code::kAllDark) {
          made.at(i, j) = Pure(in == Code::kAllLight);
        } else if (in == Code::kBars) {
          made.at(i, j) = Pure(IsOnGround(i, j, counts));
        } else if (IsCrisp(i, j) ||
                   (edges != TextEdges::kCrisp && IsSoft(i, j))) {
          made.at(i, j) = Pure(value > 2040);
        } else if (edges != TextEdges::kCrisp && IsFringe(i, j)) {
          made.at(i, j) = Pure(true);
        } else if (edges != TextEdges::kCrisp && darkens_strokes &&
                   IsInStroke(i, j)) {
          made.at(i, j) = DarkerThan(page_.at(i, j));
        }
      }
    }
    return made;
  }

 private:
  enum class Code { kNone, kBars, kAllLight, kAllDark };

  int ValueOf(uint16_t a) const {
    return page_.depth == Depth::k8 ? curve_.At8(static_cast<uint8_t>(a))
                                    : curve_.At16(a);
  }
  int Value(int i, int j) const { return values_[page_.Index(i, j)]; }
  int Light(int i, int j) const {
    return falls_ ? highest_ - page_.at(i, j) : page_.at(i, j);
  }
  uint16_t Pure(bool white) const {
    return static_cast<uint16_t>(white != falls_ ? highest_ : 0);
  }
  Area OnPage(Area area) const {
    return {std::max(area.top, 0), std::min(area.bottom, page_.rows - 1),
            std::max(area.left, 0), std::min(area.right, page_.width - 1)};
  }
  template <bool (*kIs)(int)>
  bool Has(Area area) const {
    area = OnPage(area);
    for (int i = area.top; i <= area.bottom; ++i) {
      for (int j = area.left; j <= area.right; ++j) {
        if (kIs(Value(i, j))) return true;
      }
    }
    return false;
  }
  static Area Around(int i, int j, int reach) {
    return {i - reach, i + reach, j - reach, j + reach};
  }

  static bool IsBlack(int value) { return value == 0; }
  static bool IsWhite(int value) { return value == kWhite; }
  static bool IsDark(int value) { return value <= 128; }
  static bool IsNotLight(int value) { return value < 3840; }
  static bool IsDarkSide(int value) { return value <= 1000; }
  static bool IsLightSide(int value) { return value >= 3600; }

  bool IsCrisp(int i, int j) const {
    return Has<IsBlack>(Around(i, j, 1)) && Has<IsWhite>(Around(i, j, 1));
  }
  bool IsSoft(int i, int j) const {
    return Has<IsDarkSide>(Around(i, j, 3)) &&
           Has<IsLightSide>(Around(i, j, 3)) && has_edge_[Cell(i / 8, j / 8)];
  }
  bool IsFringe(int i, int j) const {
    return Value(i, j) >= 3200 && Has<IsWhite>(Around(i, j, 2)) &&
           has_edge_[Cell(i / 8, j / 8)];
  }

  bool HasWhite(int i, int j) const { return Has<IsWhite>({i, i, j, j}); }
  static bool IsLightInk(int value) { return value >= 2200; }
  bool HasLightBeside(int i, int j) const {
    return Has<IsLightInk>({i - 1, i + 1, j, j}) ||
           Has<IsLightInk>({i, i, j - 1, j + 1});
  }
  bool IsInStroke(int i, int j) const {
    if (!IsNearPaper(i / 8, j / 8) || HasLightBeside(i, j)) return false;
    const bool is_inside = HasWhite(i - 2, j) || HasWhite(i + 2, j) ||
                           HasWhite(i, j - 2) || HasWhite(i, j + 2) ||
                           HasWhite(i - 1, j - 1) || HasWhite(i - 1, j + 1) ||
                           HasWhite(i + 1, j - 1) || HasWhite(i + 1, j + 1);
    const bool is_low = Has<IsWhite>({i - 8, i - 1, j, j}) &&
                        Has<IsWhite>({i + 1, i + 8, j, j});
    const bool is_narrow = Has<IsWhite>({i, i, j - 8, j - 1}) &&
                           Has<IsWhite>({i, i, j + 1, j + 8});
    return is_inside && (is_low || is_narrow);
  }
  // The darkest sample with at least the value that is wanted.
  uint16_t DarkerThan(uint16_t sample) const {
    const int value = ValueOf(sample);
    if (value >= 2200) return sample;
    const int wanted =
        value <= 1300 ? (value + 2) / 3 : 434 + (value - 1300) * 1766 / 900;
    const int step = falls_ ? -1 : 1;
    int darker = falls_ ? highest_ : 0;
    while (ValueOf(static_cast<uint16_t>(darker)) < wanted) darker += step;
    return static_cast<uint16_t>(darker);
  }

  int CellRows() const { return (page_.rows + 7) / 8; }
  int CellColumns() const { return (page_.width + 7) / 8; }
  size_t Cell(int y, int x) const {
    return static_cast<size_t>(y) * static_cast<size_t>(CellColumns()) +
           static_cast<size_t>(x);
  }
  Area PixelsOf(int y, int x) const {
    return OnPage({8 * y, 8 * y + 7, 8 * x, 8 * x + 7});
  }
  // The cells that are so far away at most.
  std::vector<std::pair<int, int>> CellsAround(int y, int x, int above,
                                               int below, int beside) const {
    std::vector<std::pair<int, int>> cells;
    cells.reserve(static_cast<size_t>((above + 1 + below) * (2 * beside + 1)));
    for (int v = std::max(y - above, 0);
         v <= std::min(y + below, CellRows() - 1); ++v) {
      for (int u = std::max(x - beside, 0);
           u <= std::min(x + beside, CellColumns() - 1); ++u) {
        cells.emplace_back(v, u);
      }
    }
    return cells;
  }

  bool IsNearPaper(int y, int x) const {
    return std::ranges::any_of(
        CellsAround(y, x, 4, 1, 4),
        [&](const auto& cell) { return IsPaper(cell.first, cell.second); });
  }
  // One of three in a row that are light.
  bool IsPaper(int y, int x) const {
    for (int first = x - 2; first <= x; ++first) {
      if (IsLight(y, first) && IsLight(y, first + 1) && IsLight(y, first + 2)) {
        return true;
      }
    }
    return false;
  }
  bool IsLight(int y, int x) const {
    return x >= 0 && x < CellColumns() && is_light_[Cell(y, x)];
  }

  bool IsNearDark(int y, int x) const {
    return std::ranges::any_of(CellsAround(y, x, 1, 1, 2),
                               [&](const auto& cell) {
                                 return is_dark_[Cell(cell.first, cell.second)];
                               });
  }

  std::pair<int, int> ExtremesOf(Area area) const {
    int least = highest_;
    int most = 0;
    for (int i = area.top; i <= area.bottom; ++i) {
      for (int j = area.left; j <= area.right; ++j) {
        least = std::min(least, Light(i, j));
        most = std::max(most, Light(i, j));
      }
    }
    return {least, most};
  }
  int Least(int y, int x) const { return extremes_[Cell(y, x)].first; }
  int Most(int y, int x) const { return extremes_[Cell(y, x)].second; }

  // The extremes of a cell's window.
  std::pair<int, int> Extremes(int y, int x) const {
    int least = highest_;
    int most = 0;
    for (const auto& [v, u] : CellsAround(y, x, 2, 2, 4)) {
      least = std::min(least, extremes_[Cell(v, u)].first);
      most = std::max(most, extremes_[Cell(v, u)].second);
    }
    return {least, most};
  }
  int Middle(int y, int x) const {
    const auto [least, most] = Extremes(y, x);
    return (least + most) / 2;
  }

  struct Counts {
    bool has_contrast = false;
    int turning = 0, torn = 0;
    int pixels = 0, across = 0, down = 0, dim = 0, bright = 0, vague = 0;
    int dim_sum = 0, bright_sum = 0;
  };
  // The highest bits.
  int Byte(int light) const { return highest_ == 255 ? light : light / 256; }

  Counts CountsOf(int y, int x) const {
    const auto [least, most] = Extremes(y, x);
    Counts counts;
    counts.has_contrast = 16 * (most - least) >= 5 * highest_;
    if (!counts.has_contrast) return counts;
    const int middle = (least + most) / 2;
    const int dim_to = least + (most - least) / 4;
    const int bright_from = most - 3 * (most - least) / 8;
    const auto is_light = [&](int i, int j) { return Light(i, j) > middle; };
    const Area area = PixelsOf(y, x);
    for (int i = area.top; i <= area.bottom; ++i) {
      for (int j = area.left; j <= area.right; ++j) {
        const int light = Light(i, j);
        counts.pixels += 1;
        if (light <= dim_to) {
          counts.dim += 1;
          counts.dim_sum += Byte(light);
        } else if (light >= bright_from) {
          counts.bright += 1;
          counts.bright_sum += Byte(light);
        } else {
          counts.vague += 1;
        }
        counts.across += j < area.right && is_light(i, j) != is_light(i, j + 1);
        counts.down += i < area.bottom && is_light(i, j) != is_light(i + 1, j);
      }
    }
    counts.turning = counts.across + counts.down > 0;
    counts.torn = counts.turning && counts.dim > 0 && counts.bright > 0;
    return counts;
  }

  Counts OfWindow(int y, int x, const std::vector<Counts>& counts) const {
    Counts sum;
    for (const auto& [v, u] : CellsAround(y, x, 2, 2, 4)) {
      const Counts& cell = counts[Cell(v, u)];
      sum.pixels += cell.pixels;
      sum.across += cell.across;
      sum.down += cell.down;
      sum.dim += cell.dim;
      sum.bright += cell.bright;
      sum.vague += cell.vague;
      sum.turning += cell.turning;
      sum.torn += cell.torn;
      sum.dim_sum += cell.dim_sum;
      sum.bright_sum += cell.bright_sum;
    }
    return sum;
  }

  bool IsOnGround(int i, int j, const std::vector<Counts>& counts) const {
    const Counts sum = OfWindow(i / 8, j / 8, counts);
    if (sum.dim == 0 || sum.bright == 0) {
      return Light(i, j) > Middle(i / 8, j / 8);
    }
    const int threshold =
        (sum.dim_sum / sum.dim + sum.bright_sum / sum.bright) / 2;
    return Byte(Light(i, j)) > threshold;
  }

  // What this is of each cell.
  template <typename Of>
  std::vector<std::invoke_result_t<Of, int, int>> OfCells(const Of& of) const {
    std::vector<std::invoke_result_t<Of, int, int>> cells;
    for (int y = 0; y < CellRows(); ++y) {
      for (int x = 0; x < CellColumns(); ++x) cells.push_back(of(y, x));
    }
    return cells;
  }
  int64_t InWindow(int y, int x, const std::vector<bool>& cells) const {
    return std::ranges::count_if(
        CellsAround(y, x, 2, 2, 4),
        [&](const auto& cell) { return cells[Cell(cell.first, cell.second)]; });
  }

  std::vector<Code> Codes(const std::vector<Counts>& counts) const {
    const auto is_likely = [&](int y, int x) {
      const Counts sum = OfWindow(y, x, counts);
      const int turns = sum.across + sum.down;
      return counts[Cell(y, x)].has_contrast &&
             (sum.across >= 52 || sum.down >= 94) &&
             5 * sum.bright >= sum.pixels && sum.vague <= 3 * turns &&
             (4 * sum.vague <= sum.pixels || 4 * sum.vague <= 5 * turns);
    };
    const auto is_clear = [&](int y, int x) {
      const Counts sum = OfWindow(y, x, counts);
      return is_likely(y, x) && 5 * sum.torn >= 3 * sum.turning &&
             sum.vague <= 2 * (sum.across + sum.down) &&
             8 * sum.bright <= 7 * sum.pixels;
    };
    const std::vector<bool> likely = OfCells(is_likely);
    const std::vector<bool> clear = OfCells(is_clear);
    const std::vector<bool> core = OfCells([&](int y, int x) {
      return clear[Cell(y, x)] && InWindow(y, x, clear) >= 26;
    });
    const std::vector<bool> sure = OfCells([&](int y, int x) {
      return likely[Cell(y, x)] && InWindow(y, x, likely) >= 21 &&
             InWindow(y, x, core) > 0;
    });
    return OfCells([&](int y, int x) {
      return counts[Cell(y, x)].has_contrast ? WithContrast(y, x, sure)
                                             : WithoutContrast(y, x, sure);
    });
  }

  bool HasSure(int y, int x, int above, int below,
               const std::vector<bool>& sure) const {
    return std::ranges::any_of(
        CellsAround(y, x, above, below, 4),
        [&](const auto& cell) { return sure[Cell(cell.first, cell.second)]; });
  }
  bool IsEnclosed(int y, int x, const std::vector<bool>& sure) const {
    return HasSure(y, x, 7, -1, sure) && HasSure(y, x, -1, 7, sure);
  }
  Code WithContrast(int y, int x, const std::vector<bool>& sure) const {
    return HasSure(y, x, 2, 2, sure) || IsEnclosed(y, x, sure) ? Code::kBars
                                                               : Code::kNone;
  }
  Code WithoutContrast(int y, int x, const std::vector<bool>& sure) const {
    const int highest = Middles(y, x, 4, sure).second;
    if (highest >= 0 && Least(y, x) > highest) return Code::kAllLight;
    if (!IsEnclosed(y, x, sure)) return Code::kNone;
    const auto [low, high] = Middles(y, x, 7, sure);
    if (Least(y, x) > high) return Code::kAllLight;
    return Most(y, x) <= low ? Code::kAllDark : Code::kNone;
  }
  // The lowest and the highest of sure cells; the latter is -1 without any.
  std::pair<int, int> Middles(int y, int x, int reach,
                              const std::vector<bool>& sure) const {
    std::pair<int, int> middles{highest_, -1};
    for (const auto& [v, u] : CellsAround(y, x, reach, reach, 4)) {
      if (!sure[Cell(v, u)]) continue;
      middles.first = std::min(middles.first, Middle(v, u));
      middles.second = std::max(middles.second, Middle(v, u));
    }
    return middles;
  }

  const SamplePage& page_;
  const ToneCurve& curve_;
  const int highest_;
  const bool falls_;
  bool is_needed_ = false;
  std::vector<int> values_;
  // Facts about each cell: all of it is light; some of it is dark; its darkest
  // and its lightest pixel; dark and paper are near.
  std::vector<bool> is_light_;
  std::vector<bool> is_dark_;
  std::vector<std::pair<int, int>> extremes_;
  std::vector<bool> has_edge_;
};

}  // namespace

SamplePage EdgesByDefinition(const SamplePage& page, const ToneCurve& curve,
                             TextEdges edges, bool darkens_strokes) {
  return Definition(page, curve).Made(edges, darkens_strokes);
}

}  // namespace halftoned
