// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/codes/matrix/data_matrix_shape.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "halftone/look/codes/code_light.h"

namespace halftoned {
namespace {

constexpr int64_t kScale = ModuleGrid::kOne;
constexpr int64_t kTurnMost = kScale * 37 / 400;  // 5 degrees and a tolerance
constexpr int64_t kLeastModulePlaces = kPixel * 11 / 8;
constexpr int64_t kFewestSideModules = 8;
constexpr int kSizes[] = {10, 12, 14, 16, 18, 20, 22, 24, 26,  32,  36,  40,
                          44, 48, 52, 64, 72, 80, 88, 96, 104, 120, 132, 144};

class DataMatrix {
 public:
  DataMatrix(const LightRows& rows, const PixelBox& box, int light_from)
      : rows_(rows), box_(box), light_from_(light_from) {}

  // Whether exactly one side is solid. Sets its line and the outline.
  bool HasSolidSide() {
    const int64_t top = FirstDarkRow();
    const int64_t wide = DarkColumns(top);
    // Between the corners of the side, at any skew.
    const int64_t from = top + wide / 10 + 2;
    const int64_t to = std::min(top + wide * 3 / 4, box_.bottom);
    if (to - from < 8) return false;
    const bool is_left = FitSide(1, from, to);
    const Place left = origin_;
    const int64_t slope = slope_;
    side_ = -1;
    const bool is_right = FitSide(-1, from, to);
    if (is_left == is_right) return false;
    if (is_left) origin_ = left, slope_ = slope, side_ = 1;
    return FindOutline(from, to);
  }

  bool FindSize() {
    int64_t best = INT64_MAX;
    for (const int size : kSizes) {
      const int64_t module = wide_ * 256 / size;
      if (module < 256 * kLeastModulePlaces) break;
      for (const bool is_top_solid : {false, true}) {
        const int64_t share = WrongOf(size, module, is_top_solid);
        if (share < best) {
          best = share;
          size_ = size;
        }
      }
    }
    if (best > 1024 / 16) return false;
    module_ = wide_ * 256 / size_;
    return true;
  }

  bool IsMixed() const {
    int64_t dark = 0, all = 0;
    for (int64_t down = 1; down < size_ - 1; ++down) {
      for (int64_t right = 1; right < size_ - 1; ++right) {
        const int light = Light(right, down);
        if (light < 0) continue;
        ++all;
        dark += light < light_from_;
      }
    }
    return 4 * dark >= all && 4 * dark <= 3 * all;
  }

  std::optional<CodeArea> Area() const {
    CodeArea area{.origin = origin_,
                  .slope = slope_,
                  .left = side_ > 0 ? 0 : -wide_,
                  .right = side_ > 0 ? wide_ : 0,
                  .top = top_,
                  .bottom = top_ + wide_,
                  .light_from = 0};
    area.light_from = LightFromOf(rows_, area);
    area.Widen(2 * module_ / 256);
    const int64_t corner = At(side_ * wide_, top_).y;
    const int64_t row = std::min(At(0, top_).y, corner) / kPixel;
    if (row < 0 || !rows_.Row(row)) return std::nullopt;
    return area;
  }

 private:
  int LightOf(int64_t column, int64_t row) const {
    const std::byte* const bytes = rows_.Row(row);
    return bytes ? rows_.At(bytes, column) : -1;
  }
  // The place at these distances from the origin, along and across the code.
  Place At(int64_t along, int64_t across) const {
    return {origin_.x + along - slope_ * across / kScale,
            origin_.y + across + slope_ * along / kScale};
  }
  int64_t Along(Place place) const {
    return place.x - origin_.x + slope_ * (place.y - origin_.y) / kScale;
  }
  int64_t Across(Place place) const {
    return place.y - origin_.y - slope_ * (place.x - origin_.x) / kScale;
  }

  int64_t FirstDarkRow() const {
    for (int64_t row = box_.top; row < box_.bottom; ++row) {
      const std::byte* const bytes = rows_.Row(row);
      for (int64_t i = box_.left; bytes && i < box_.right; ++i) {
        if (rows_.At(bytes, i) < light_from_) return row;
      }
    }
    return box_.bottom;
  }

  // From the leftmost to the rightmost, in every fourth row from `top` on.
  int64_t DarkColumns(int64_t top) const {
    int64_t left = box_.right * kPixel, right = box_.left * kPixel;
    for (int64_t row = top; row < box_.bottom; row += 4) {
      left = std::min(left, FirstOfRow(row, 1).value_or(left));
      right = std::max(right, FirstOfRow(row, -1).value_or(right));
    }
    return (right - left) / kPixel;
  }

  // Where a row first turns dark, from the left (step 1) or from the right
  // (-1). Nothing if it starts dark, stays light or is not known.
  std::optional<int64_t> FirstOfRow(int64_t row, int step) const {
    const std::byte* const bytes = rows_.Row(row);
    if (!bytes) return std::nullopt;
    int before = -1;
    const int64_t end = step > 0 ? box_.right : box_.left - 1;
    for (int64_t i = step > 0 ? box_.left : box_.right - 1; i != end;
         i += step) {
      const int here = rows_.At(bytes, i);
      if (here < light_from_) {
        if (before < 0) return std::nullopt;
        return i * kPixel + kPixel / 2 - step * kPixel +
               step * (light_from_ - before) * kPixel / (here - before);
      }
      before = here;
    }
    return std::nullopt;
  }

  // False if the first, the middle and the last row show that there is no side:
  // if all rows are within a pixel of a line that is skewed by up to 5 degrees,
  // twice the middle is at most 4.2 pixels off the sum of the others.
  bool MayBeSide(int step, int64_t from, int64_t to) const {
    const auto first = FirstOfRow(from, step);
    const auto middle = FirstOfRow((from + to - 1) / 2, step);
    const auto last = FirstOfRow(to - 1, step);
    return first && middle && last &&
           std::abs(*first + *last - 2 * *middle) <= 5 * kPixel;
  }

  // Sets origin and slope. False if the first dark pixels are not on a line, or
  // if it is skewed too far.
  bool FitSide(int step, int64_t from, int64_t to) {
    if (!MayBeSide(step, from, to)) return false;
    std::vector<int64_t> places;
    for (int64_t row = from; row < to; ++row) {
      const auto place = FirstOfRow(row, step);
      if (!place) return false;
      places.push_back(*place);
    }
    // The line goes through the means of the upper and the lower half.
    const auto count = static_cast<int64_t>(places.size() / 2);
    int64_t upper = 0, lower = 0;
    for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
      upper += places[i];
      lower += places[places.size() - 1 - i];
    }
    const auto rows = static_cast<int64_t>(places.size());
    const int64_t moved = (lower - upper) / count;  // over `apart` rows
    const int64_t apart = rows - count;
    const int64_t first = upper / count - moved * (count - 1) / (2 * apart);
    for (int64_t i = 0; i < rows; ++i) {
      const int64_t off =
          places[static_cast<size_t>(i)] - first - moved * i / apart;
      if (std::abs(off) > kPixel) return false;
    }
    origin_ = {first, from * kPixel + kPixel / 2};
    slope_ = -moved * kScale / (apart * kPixel);
    return std::abs(slope_) <= kTurnMost;
  }

  // Sets the width and the top; false if either is not found.
  bool FindOutline(int64_t from, int64_t to) {
    wide_ = 0;
    for (int64_t row = from; row < to; ++row) {
      const auto place = FirstOfRow(row, -side_);
      if (!place) return false;
      wide_ =
          std::max(wide_, side_ * Along({*place, row * kPixel + kPixel / 2}));
    }
    top_ = INT64_MAX;
    for (int64_t i = box_.left; i < box_.right; ++i) {
      const Place middle{i * kPixel + kPixel / 2, 0};
      if (side_ * Along({middle.x, origin_.y}) > wide_) continue;
      int before = -1;
      for (int64_t row = box_.top; row < from; ++row) {
        const int here = LightOf(i, row);
        if (before >= light_from_ && here >= 0 && here < light_from_) {
          const int64_t y = row * kPixel - kPixel / 2 +
                            (light_from_ - before) * kPixel / (here - before);
          top_ = std::min(top_, Across({middle.x, y}));
          break;
        }
        before = here;
      }
    }
    return top_ != INT64_MAX;
  }

  // The light in the center of a module; columns count from the solid side. -1
  // if it is not known.
  int Light(int64_t right, int64_t down) const {
    const Place place = At(side_ * module_ * (2 * right + 1) / 512,
                           top_ + module_ * (2 * down + 1) / 512);
    return place.y < 0 ? rows_.highest() : rows_.AtPlace(place.x, place.y);
  }

  struct Share {
    int64_t all = 0, wrong = 0;
    int64_t Of1024() const { return all == 0 ? 1024 : 1024 * wrong / all; }
  };

  // False if the module is not known.
  bool Add(Share& share, int64_t right, int64_t down, bool is_dark) const {
    const int light = Light(right, down);
    if (light < 0) return false;
    ++share.all;
    share.wrong += (light < light_from_) != is_dark ? 1 : 0;
    return true;
  }

  // How many in 1024 are wrong of the outer modules, or of those around the
  // code: the larger number. INT64_MAX if too few are known, or too many wrong.
  int64_t WrongOf(int size, int64_t module, bool is_top_solid) {
    module_ = module;
    Share outer, around;
    int64_t side = 0;
    for (int64_t i = 0; i < size; ++i) {
      Add(outer, i, 0, is_top_solid || i % 2 == 0);
      Add(around, i, -1, false);
    }
    // One in 16 of all four sides.
    if (4 * outer.wrong > size) return INT64_MAX;
    for (int64_t i = 1; i + 1 < size; ++i) {
      Add(outer, 0, i, true);
      side += Add(outer, size - 1, i, is_top_solid == (i % 2 == 0)) ? 1 : 0;
      Add(around, -1, i, false);
      Add(around, size, i, false);
    }
    bool is_end_known = true;
    for (int64_t i = 0; i < size; ++i) {
      is_end_known &= Add(outer, i, size - 1, !is_top_solid || i % 2 == 0);
      is_end_known &= Add(around, i, size, false);
    }
    // A rectangular code may have the same width.
    if (!is_end_known && (size == 12 || size == 16)) return INT64_MAX;
    if (side < kFewestSideModules) return INT64_MAX;
    return std::max(outer.Of1024(), around.Of1024());
  }

  const LightRows& rows_;
  const PixelBox box_;
  const int light_from_;
  int side_ = 1;    // the solid one: left 1, right -1
  Place origin_{};  // on the solid side
  int64_t slope_ = 0;
  int64_t wide_ = 0, top_ = 0;     // from the origin
  int64_t size_ = 0, module_ = 0;  // modules; 1/256 of a place
};

}  // namespace

std::optional<CodeArea> DataMatrixIn(const LightRows& rows, const PixelBox& box,
                                     int light_from) {
  DataMatrix code(rows, box, light_from);
  if (!code.HasSolidSide() || !code.FindSize() || !code.IsMixed()) {
    return std::nullopt;
  }
  return code.Area();
}

}  // namespace halftoned
