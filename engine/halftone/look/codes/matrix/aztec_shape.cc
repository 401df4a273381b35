// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/codes/matrix/aztec_shape.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "halftone/look/codes/code_light.h"
#include "halftone/look/codes/matrix/module_light.h"

namespace halftoned {
namespace {

constexpr int64_t kBullseye = 4;  // the outermost ring that all codes have
constexpr int64_t kFullEye = 6;   // the same of full codes
constexpr int kMostErrors = 4;    // modules of a bullseye
constexpr int64_t kCertain = 2;   // the outermost ring at any skew
constexpr int kMostErrorsOfCertain = 5;
constexpr int64_t kFitRows = 6;  // above the center, and below it
constexpr int64_t kCompactLayers = 4, kFullLayers = 32;
constexpr int64_t kWidestAztecQuiet = 3;  // modules

int64_t RingOf(int64_t right, int64_t down) {
  return std::max(std::abs(right), std::abs(down));
}

// Modules count from the center of the bullseye.
class Aztec : ModuleLight {
 public:
  using ModuleLight::ModuleLight;

  // Finds the center in the column through the seen place, on either side of
  // it; later if the rows below it are not known.
  bool FindCenter(const SeenBullseye& seen, bool& is_later) {
    light_from_ = seen.light_from;
    const int64_t module = grid_.PlacesOf(ModuleGrid::kParts);
    int64_t best = 0, found = INT64_MIN;
    for (const int64_t side : {-1, 1}) {
      if (seen.ring == 0 && side > 0) break;  // the same places
      for (int64_t part = -2; part <= 2; ++part) {
        grid_.y = seen.place.y + side * seen.ring * module + part * module / 4;
        const int64_t score = ColumnScore();
        if (score == kUnknown) is_later = true;
        if (score == kUnknown || score <= best) continue;
        best = score;
        found = grid_.y;
      }
    }
    grid_.y = found;
    is_later &= !rows_.Row((seen.place.y + (kBullseye + 2) * module) / kPixel);
    return found != INT64_MIN && !is_later && FindLevels();
  }

  // Before the grid fits, the inner modules rule out most places.
  bool HasBullseye() {
    if (WrongWithin(kCertain) > kMostErrorsOfCertain) return false;
    FitBullseye();
    return WrongWithin(kBullseye) <= kMostErrors;
  }

  // Finds out whether the code is full, and checks the marks in the corners of
  // the ring around its bullseye; later if rows of that ring are not known.
  bool HasMarks(bool& is_later) {
    const int64_t around = DarkInRing(kBullseye + 1, kBullseye + 1);
    is_full_ = around <= kMostErrors;
    if (is_full_) {
      is_later = DarkInRing(kFullEye + 1, kFullEye + 1) == kUnknown;
      if (is_later) return false;
      eye_ = kFullEye;
      FitBullseye();
      if (DarkInRing(kFullEye, kFullEye) < 8 * kFullEye - kMostErrors) {
        return false;
      }
    }
    const int64_t ring = (is_full_ ? kFullEye : kBullseye) + 1;
    std::array<int64_t, 4> marks = {MarkOf(-ring, -ring), MarkOf(ring, -ring),
                                    MarkOf(-ring, ring), MarkOf(ring, ring)};
    is_later = std::ranges::find(marks, kUnknown) != marks.end();
    if (is_later) return false;
    std::ranges::sort(marks);
    int64_t wrong = 0;
    for (int64_t i = 0; i < 4; ++i) {
      wrong += std::abs(marks[static_cast<size_t>(i)] - i);
    }
    return wrong <= 1;
  }

  // Finds the side of the code, around which all is light: with a grid that is
  // fitted to more modules, or with that of the bullseye.
  bool FindSide() {
    const ClearnessOf clearness_of = [this](const ModuleGrid& grid) {
      return Clearness(grid);
    };
    const ModuleGrid measured = grid_;
    ModuleGrid fitted = grid_;
    for (int64_t layers = 1;
         layers <= (is_full_ ? kFullLayers : kCompactLayers); ++layers) {
      const int64_t wide = is_full_
                               ? 15 + 4 * layers + (2 * layers + 6) / 15 * 2
                               : 11 + 4 * layers;
      half_ = wide / 2;
      grid_ = fitted;
      Fit(wide, clearness_of);
      FitCenter(clearness_of);
      if (IsSide()) return true;
      fitted = std::exchange(grid_, measured);
      if (IsSide()) return true;
    }
    return false;
  }

  CodeArea Area() {
    int64_t quiet = 1;
    while (quiet < kWidestAztecQuiet &&
           DarkInRing(half_ + quiet + 1, LowestKnown(half_ + quiet + 1)) == 0) {
      ++quiet;
    }
    const int64_t reach =
        grid_.PlacesOf(ModuleGrid::kParts * (2 * half_ + 1) / 2);
    CodeArea area{.origin = {grid_.x, grid_.y},
                  .slope = grid_.slope,
                  .left = -reach,
                  .right = reach,
                  .top = -reach,
                  .bottom = reach,
                  .light_from = 0};
    area.light_from = LightFromOf(rows_, area);
    area.Widen(grid_.PlacesOf(ModuleGrid::kParts * quiet));
    return area;
  }

 private:
  // Wrong modules in the rings of a bullseye up to one.
  int WrongWithin(int64_t ring) const {
    int errors = 0;
    for (int64_t down = -ring; down <= ring; ++down) {
      for (int64_t right = -ring; right <= ring; ++right) {
        const bool is_dark = RingOf(right, down) % 2 == 0;
        errors += (Light(right, down) < light_from_) != is_dark ? 1 : 0;
      }
    }
    return errors;
  }

  // How well the column through the center of a grid that is not skewed fits a
  // bullseye; nothing if two modules or more do not.
  int64_t ColumnScore() const {
    int64_t sum = 0;
    int errors = 0;
    for (int64_t down = -kBullseye; down <= kBullseye; ++down) {
      const int light =
          rows_.AtPlace(grid_.x, grid_.y + grid_.module * down / 256);
      if (light < 0) return kUnknown;
      const int away =
          down % 2 == 0 ? light_from_ - light : light - light_from_;
      errors += away <= 0 ? 1 : 0;
      // Only rows above the first one may be unknown.
      if (errors > 1) return 0;
      sum += away;
    }
    return sum;
  }

  // From the rings of the bullseye, without its thin center.
  bool FindLevels() {
    int64_t sums[2] = {}, counts[2] = {};
    for (int64_t down = -3; down <= 3; ++down) {
      for (int64_t right = -3; right <= 3; ++right) {
        const int light = Light(right, down);
        if (light < 0) return false;
        const auto ring = static_cast<size_t>(RingOf(right, down));
        if (ring == 0) continue;
        sums[ring % 2] += light;
        ++counts[ring % 2];
      }
    }
    return SetLevels(sums[0], counts[0], sums[1], counts[1]);
  }

  // How clearly modules of the bullseye are what they must be.
  int64_t EyeClearness(const ModuleGrid& grid) {
    const ModuleGrid kept = std::exchange(grid_, grid);
    int64_t sum = 0;
    for (int64_t down = -eye_; down <= eye_; ++down) {
      for (int64_t right = -eye_; right <= eye_; ++right) {
        const int sign = RingOf(right, down) % 2 == 0 ? -1 : 1;
        for (const int64_t away : {-3, 0, 3}) {
          sum += sign * (Light(right, down, away) - light_from_);
        }
      }
    }
    grid_ = kept;
    return sum;
  }

  void FitBullseye() {
    const ClearnessOf clearness_of = [this](const ModuleGrid& grid) {
      return EyeClearness(grid);
    };
    FitCenter(clearness_of);
    FitCoarsely(clearness_of);
    FitCenter(clearness_of);
    Fit(2 * eye_ + 1, clearness_of);
  }

  // Moves the center by small steps, as long as they help.
  void FitCenter(const ClearnessOf& clearness_of) {
    int64_t clearest = clearness_of(grid_);
    const int64_t module = grid_.PlacesOf(ModuleGrid::kParts);
    for (int64_t step = module / 4; step >= kPixel / 16; step /= 2) {
      for (bool is_better = true; is_better;) {
        is_better = false;
        for (const auto& [x, y] :
             {std::pair(-step, int64_t{0}), {step, 0}, {0, -step}, {0, step}}) {
          ModuleGrid grid = grid_;
          grid.x += x;
          grid.y += y;
          const int64_t here = clearness_of(grid);
          if (here <= clearest) continue;
          clearest = here;
          grid_ = grid;
          is_better = true;
        }
      }
    }
  }

  // Dark modules of a corner and its neighbors in the ring.
  int64_t MarkOf(int64_t right, int64_t down) const {
    const int64_t inner = right > 0 ? right - 1 : right + 1;
    const int64_t lower = down > 0 ? down - 1 : down + 1;
    const int64_t row =
        CountDark({std::min(inner, right), std::max(inner, right), down, down});
    const int64_t beside = CountDark({right, right, lower, lower});
    return row == kUnknown || beside == kUnknown ? kUnknown : row + beside;
  }

  // The number of dark modules of a ring down to a row; kUnknown if some are
  // not known.
  int64_t DarkInRing(int64_t ring, int64_t down) const {
    int64_t count = CountDark({-ring, ring, -ring, -ring});
    for (const int64_t side : {-ring, ring}) {
      count += CountDark({side, side, 1 - ring, std::min(down, ring - 1)});
    }
    if (down >= ring) count += CountDark({-ring, ring, ring, ring});
    return std::min(count, kUnknown);
  }
  static int64_t CountOfRing(int64_t ring, int64_t down) {
    return down >= ring ? 8 * ring : 2 * ring + 1 + 2 * (ring + down);
  }
  // The last row of modules of a ring that is known on both sides.
  int64_t LowestKnown(int64_t ring) const {
    int64_t down = -ring;
    while (down < ring && Light(-ring, down + 1) >= 0 &&
           Light(ring, down + 1) >= 0) {
      ++down;
    }
    return down;
  }

  // How clearly the modules beside the bullseye are dark or light. A wrong turn
  // must not lead out of the code, where all is clear, so the outer column is
  // left out.
  int64_t Clearness(const ModuleGrid& grid) {
    const ModuleGrid kept = std::exchange(grid_, grid);
    int64_t sum = 0;
    for (int64_t down = -kFitRows; down <= kFitRows; ++down) {
      if (Light(1 - half_, down, 2) < 0 || Light(half_ - 1, down, 2) < 0) break;
      for (int64_t right = 1 - half_; right < half_; ++right) {
        if (RingOf(right, down) <= kBullseye) continue;
        sum += Clear(right, down, 1) + Clear(right, down, 2);
      }
    }
    grid_ = kept;
    return sum;
  }

  bool IsSide() const {
    const int64_t down = LowestKnown(half_ + 1);
    return 16 * DarkInRing(half_ + 1, down) <= CountOfRing(half_ + 1, down) &&
           IsSure();
  }

  // Whether the known part is that of a code whose first row is not finished.
  bool IsSure() const {
    const Box known{-half_, half_, -half_, LowestKnown(half_)};
    const int64_t all = (2 * half_ + 1) * (known.bottom - known.top + 1);
    const int64_t dark = CountDark(known);
    const int64_t top =
        grid_.y - grid_.PlacesOf(ModuleGrid::kParts * (2 * half_ + 1) / 2) -
        std::abs(grid_.slope) * grid_.PlacesOf(ModuleGrid::kParts * half_) /
            ModuleGrid::kOne;
    return 4 * dark >= all && 4 * dark <= 3 * all &&
           6 * CountVague(known) <= all &&
           8 * DarkInRing(half_, known.bottom) >=
               CountOfRing(half_, known.bottom) &&
           (top < 0 || rows_.Row(top / kPixel));
  }

  int64_t eye_ = kBullseye;  // the outermost ring to which the grid is fitted
  bool is_full_ = false;
  int64_t half_ = 0;  // modules on each side of the central one
};

}  // namespace

SeenBullseye SeenBullseye::Make(Place place, int64_t module, int64_t ring,
                                int light_from) {
  const int64_t end = place.y + ring * (module / 256) + module / 256 / 2 +
                      module * kBullseye / 256;
  return {place, module, ring, light_from, end / kPixel};
}

AztecAnswer AztecAt(const LightRows& rows, const SeenBullseye& seen) {
  AztecAnswer answer;
  Aztec code(rows, {.x = seen.place.x,
                    .y = seen.place.y,
                    .module = seen.module,
                    .slope = 0});
  if (code.FindCenter(seen, answer.is_later) && code.HasBullseye() &&
      code.HasMarks(answer.is_later) && code.FindSide()) {
    answer.area = code.Area();
  }
  // If the seen row is already finished, more rows do not help.
  answer.is_later &= rows.Row(seen.place.y / kPixel) != nullptr;
  return answer;
}

}  // namespace halftoned
