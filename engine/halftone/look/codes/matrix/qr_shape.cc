// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "halftone/look/codes/matrix/module_light.h"
#include "halftone/look/codes/matrix/square_codes.h"

namespace halftoned {
namespace {

constexpr int64_t kRing = 3;  // modules from a finder's middle to its outside
constexpr int64_t kNarrowest = 21, kWider = 4,
                  kWidest = 177;   // modules of a code
constexpr int64_t kSearched = 33;  // up to this width, in all directions
constexpr int64_t kWidestQuiet = 4;
constexpr int kMostErrorsOfOther = 6;   // modules of the other finder
constexpr int64_t kFewestOfColumn = 4;  // modules that alternate

// Modules count from the middle of the finder.
class Qr : ModuleLight {
 public:
  using ModuleLight::ModuleLight;

  bool HasFinder() {
    return FindLevels() && FinderErrors(0) <= 3 &&
           CountDark({-kRing - 2, -kRing - 1, -kRing, kRing}) <= 1 &&
           CountDark({-kRing, kRing, -kRing - 2, -kRing - 1}) <= 1 &&
           CountDark({kRing + 1, kRing + 1, -kRing, kRing}) <= 2 &&
           CountDark({-kRing, kRing, kRing + 1, kRing + 1}) <= 2;
  }

  // Finds the width of the code, and fits the grid to its skew.
  bool FindWidth() {
    const ModuleGrid measured = grid_;
    const ClearnessOf clearness_of = [this](const ModuleGrid& grid) {
      return Clearness(grid);
    };
    for (width_ = kNarrowest; width_ <= kWidest; width_ += kWider) {
      if (width_ <= kSearched) {
        grid_ = measured;
        FitCoarsely(clearness_of);
      }
      Fit(width_, clearness_of);
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
           6 * CountVague(band) <= all && FinderErrors(0) <= 2 && HasTiming();
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
    return {grid_, width_, quiet};
  }

 private:
  int64_t Last() const { return width_ - 1 - kRing; }
  // Its upper row may be finished.
  bool HasQuietAbove() const {
    const int64_t most = width_ / 16;
    const int64_t upper = CountDark({-kRing, Last(), -kRing - 2, -kRing - 2});
    return CountDark({-kRing, Last(), -kRing - 1, -kRing - 1}) <= most &&
           (upper <= most || upper == kUnknown);
  }

  bool FindLevels() {
    int64_t dark = 0, light = 0;
    const bool is_known =
        ForEach({-1, 1, -1, 1}, [&](int each) { dark += each; }) &&
        ForEach({-kRing - 2, -kRing - 2, -2, 2},
                [&](int each) { light += each; }) &&
        ForEach({-2, 2, -kRing - 1, -kRing - 1},
                [&](int each) { light += each; });
    return is_known && SetLevels(dark, 9, light, 10);
  }

  // Wrong modules of a finder whose middle is `away` modules beside this one.
  int FinderErrors(int64_t away) const {
    int errors = 0;
    for (int64_t down = -kRing; down <= kRing; ++down) {
      for (int64_t right = -kRing; right <= kRing; ++right) {
        const bool is_dark = std::max(std::abs(down), std::abs(right)) != 2;
        const int light = Light(away + right, down);
        errors += light < 0 || (light < light_from_) != is_dark ? 1 : 0;
      }
    }
    return errors;
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

  // At least a quarter of the modules beside the finder differ from the next
  // one.
  bool AreChanging() const {
    int64_t changes = 0, all = 0;
    for (int64_t down = -kRing; down <= kRing; ++down) {
      for (int64_t right = kRing + 2; right < Last(); ++right, ++all) {
        changes += (Light(right, down) < light_from_) !=
                   (Light(right + 1, down) < light_from_);
      }
    }
    return 4 * changes >= all;
  }

  // Whether the modules alternate between this finder and another one: in the
  // row, at whose end the other finder is known, or in the column, of which few
  // modules may be known.
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
    return (12 * across <= width_ - 16 &&
            FinderErrors(Last() - kRing) <= kMostErrorsOfOther) ||
           (known >= kFewestOfColumn && 12 * down <= known && AreChanging());
  }

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
