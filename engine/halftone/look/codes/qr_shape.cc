// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <algorithm>
#include <cstdlib>

#include "halftone/look/codes/square_codes.h"

namespace halftoned {
namespace {

constexpr int64_t kParts = ModuleGrid::kParts;
constexpr int64_t kRing = 3;  // modules from a finder's middle to its outside
constexpr int64_t kNarrowest = 21, kWider = 4,
                  kWidest = 177;   // modules of a code
constexpr int64_t kSearched = 33;  // up to this width, in all directions
constexpr int64_t kSteepest = ModuleGrid::kOne * 7 / 80;  // 5 degrees
constexpr int64_t kWidestQuiet = 4;

// Modules from, to, each inclusive.
struct Box {
  int64_t left, right, top, bottom;
};

// 0, -1, 1, -2, 2 …
int64_t FromMiddle(int64_t nth) {
  return nth % 2 == 0 ? nth / 2 : -(nth + 1) / 2;
}

// Modules count from the middle of the finder.
class Qr {
 public:
  Qr(const LightRows& rows, const ModuleGrid& grid)
      : rows_(rows), grid_(grid) {}

  bool HasFinder() {
    return SetLevels() && FinderErrors() <= 3 &&
           CountDark({-kRing - 2, -kRing - 1, -kRing, kRing}) <= 1 &&
           CountDark({-kRing, kRing, -kRing - 2, -kRing - 1}) <= 1 &&
           CountDark({kRing + 1, kRing + 1, -kRing, kRing}) <= 2 &&
           CountDark({-kRing, kRing, kRing + 1, kRing + 1}) <= 2;
  }

  // Finds the width of the code, and fits the grid to its skew.
  bool FindWidth() {
    const ModuleGrid measured = grid_;
    for (width_ = kNarrowest; width_ <= kWidest; width_ += kWider) {
      if (width_ <= kSearched) {
        grid_ = measured;
        FitCoarsely();
      }
      Fit();
      const int64_t end = Last() + 1;
      const int64_t dark = CountDark({end, end + 2, -kRing, kRing});
      if (dark == kUnknown) return false;
      if (dark <= 1) return true;
    }
    return false;
  }

  bool IsSure() {
    const Box band{kRing + 2, Last(), -kRing, kRing};
    const int64_t all = 7 * (band.right - band.left + 1);
    const int64_t dark = CountDark(band);
    return HasQuietAbove() && 4 * dark >= all && 4 * dark <= 3 * all &&
           CountDark({Last() - 1, Last(), -kRing, kRing}) > 0 &&
           6 * CountVague(band) <= all && FinderErrors() <= 2 && HasTiming();
  }

  QrShape Shape() {
    int64_t quiet = 2;
    while (quiet < kWidestQuiet &&
           CountDark({-kRing - quiet - 1, -kRing - quiet - 1, -kRing, kRing}) ==
               0 &&
           CountDark({Last() + quiet + 1, Last() + quiet + 1, -kRing, kRing}) ==
               0) {
      ++quiet;
    }
    return {grid_, width_, quiet, static_cast<uint16_t>(light_from_)};
  }

 private:
  static constexpr int64_t kUnknown = 1 << 20;

  int64_t Last() const { return width_ - 1 - kRing; }
  // The light in the center of a module, or of the place `away` parts to the
  // right of it and below it.
  int Light(int64_t right, int64_t down, int64_t away = 0) const {
    const Place place = grid_.At(kParts * right + away, kParts * down + away);
    return rows_.AtPlace(place.x, place.y);
  }

  // Calls `add` with the light of each module; false if one is not known.
  template <typename AddLight>
  bool ForEach(const Box& box, const AddLight& add) const {
    for (int64_t down = box.top; down <= box.bottom; ++down) {
      for (int64_t right = box.left; right <= box.right; ++right) {
        const int light = Light(right, down);
        if (light < 0) return false;
        add(light);
      }
    }
    return true;
  }
  int64_t CountDark(const Box& box) const {
    int64_t count = 0;
    return ForEach(box, [&](int light) { count += light < light_from_; })
               ? count
               : kUnknown;
  }
  int64_t CountVague(const Box& box) const {
    int64_t count = 0;
    const auto add = [&](int light) {
      count += 5 * std::abs(light - light_from_) < light_ - dark_;
    };
    return ForEach(box, add) ? count : kUnknown;
  }

  // Its upper row may be finished.
  bool HasQuietAbove() const {
    const int64_t most = width_ / 16;
    const int64_t upper = CountDark({-kRing, Last(), -kRing - 2, -kRing - 2});
    return CountDark({-kRing, Last(), -kRing - 1, -kRing - 1}) <= most &&
           (upper <= most || upper == kUnknown);
  }

  bool SetLevels() {
    int64_t dark = 0, light = 0;
    const bool is_known =
        ForEach({-1, 1, -1, 1}, [&](int each) { dark += each; }) &&
        ForEach({-kRing - 2, -kRing - 2, -2, 2},
                [&](int each) { light += each; }) &&
        ForEach({-2, 2, -kRing - 1, -kRing - 1},
                [&](int each) { light += each; });
    dark_ = static_cast<int>(dark / 9);
    light_ = static_cast<int>(light / 10);
    light_from_ = (dark_ + light_) / 2 + 1;
    return is_known && 16 * (light_ - dark_) >= 3 * rows_.highest();
  }

  int FinderErrors() const {
    int errors = 0;
    for (int64_t down = -kRing; down <= kRing; ++down) {
      for (int64_t right = -kRing; right <= kRing; ++right) {
        const bool is_dark = std::max(std::abs(down), std::abs(right)) != 2;
        const int light = Light(right, down);
        errors += light < 0 || (light < light_from_) != is_dark ? 1 : 0;
      }
    }
    return errors;
  }

  // How clear a module is at two places so far from its middle: nothing if one
  // is dark, the other light.
  int Clear(int64_t right, int64_t down, int64_t away) const {
    const int one = Light(right, down, -away) - light_from_;
    const int other = Light(right, down, away) - light_from_;
    if ((one < 0) != (other < 0)) return 0;
    return std::min(std::abs(one), std::abs(other));
  }

  // How clearly modules beside the finder are dark or light; -1 if some are not
  // known. A wrong turn must not lead out of the code, where all is clear, so
  // two rows and a column are left out. Bars that are printed too wide leave
  // little light between them, so one place is near the middle.
  int64_t Clearness(const ModuleGrid& grid) {
    const ModuleGrid kept = std::exchange(grid_, grid);
    int64_t sum = 0;
    const bool is_known = Light(kRing + 2, kRing, 2) >= 0 &&
                          Light(Last(), kRing, 2) >= 0 &&
                          Light(kRing + 2, 2 - kRing, -2) >= 0 &&
                          Light(Last(), 2 - kRing, -2) >= 0;
    for (int64_t down = 2 - kRing; down <= kRing && is_known; ++down) {
      for (int64_t right = kRing + 2; right < Last(); ++right) {
        sum += Clear(right, down, 1) + Clear(right, down, 2);
      }
    }
    grid_ = kept;
    return is_known ? sum : -1;
  }

  bool Try(const ModuleGrid& grid, ModuleGrid& best, int64_t& clearest) {
    const int64_t clear = Clearness(grid);
    if (clear <= clearest) return false;
    clearest = clear;
    best = grid;
    return true;
  }

  void FitCoarsely() {
    int64_t clearest = -1;
    ModuleGrid best = grid_;
    for (int64_t turn = 0; turn <= 16; ++turn) {
      for (int64_t wider = 0; wider <= 16; ++wider) {
        ModuleGrid grid = grid_;
        grid.slope = FromMiddle(turn) * kSteepest / 8;
        grid.module += grid.module * FromMiddle(wider) / 100;
        Try(grid, best, clearest);
      }
    }
    grid_ = best;
  }

  // Takes small steps as long as they make the modules clearer.
  void Fit() {
    ModuleGrid best = grid_;
    int64_t clearest = Clearness(grid_);
    for (int64_t part = 4; part <= 16; part *= 2) {
      const int64_t turn = ModuleGrid::kOne / (part * width_);
      const int64_t wider = grid_.module / (part * width_);
      for (bool is_better = true; is_better;) {
        is_better = false;
        const ModuleGrid from = best;
        for (int64_t i = 0; i < 9; ++i) {
          ModuleGrid grid = from;
          grid.slope += (i / 3 - 1) * turn;
          grid.module += (i % 3 - 1) * wider;
          is_better |= Try(grid, best, clearest);
        }
      }
    }
    grid_ = best;
  }

  // Whether the modules between two finders alternate.
  bool HasTiming() const {
    const int64_t end = Last() - 8;  // the separator of the other finder
    int64_t across = 0, down = 0;
    int64_t known = 0;
    for (int64_t i = kRing + 2; i <= end; ++i) {
      const bool is_dark = i % 2 != 0;
      across += (Light(i, kRing) < light_from_) != is_dark ? 1 : 0;
      const int light = Light(kRing, i);
      if (light < 0) continue;
      ++known;
      down += (light < light_from_) != is_dark ? 1 : 0;
    }
    return 12 * across <= width_ - 16 || (known > 0 && 12 * down <= known);
  }

  const LightRows& rows_;
  ModuleGrid grid_;
  int dark_ = 0, light_ = 0, light_from_ = 0;
  int64_t width_ = kNarrowest;
};

}  // namespace

std::optional<QrShape> QrShapeOf(const LightRows& rows,
                                 const ModuleGrid& grid) {
  Qr qr(rows, grid);
  if (!qr.HasFinder() || !qr.FindWidth() || !qr.IsSure()) return std::nullopt;
  return qr.Shape();
}

}  // namespace halftoned
