// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A screen: an offset for every pixel of the plane, which decides between the
// two levels around the pixel's value. It repeats either a supercell of several
// cells, in which each cell grows one dot, or the mask of `blue-noise`;
// docs/reference/bits.md defines both.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace halftoned {

// The sides of a supercell in pixels, one to the right and one downwards, and
// how many cells lie along each.
struct Supercell {
  int32_t right_x;  // 1 … kMaxSide
  int32_t right_y;  // 0 … kMaxSide, downwards
  int32_t down_x;   // 0 … kMaxSide, to the left
  int32_t down_y;   // 1 … kMaxSide
  int32_t cells;    // 1 … kMaxCells

  static constexpr int32_t kMaxSide = 255;
  static constexpr int32_t kMaxCells = 32;

  int64_t pixels() const {
    return int64_t{right_x} * down_y + int64_t{right_y} * down_x;
  }
};

// The outline of a cell's dots. Dots that are not round are longer along the
// side that leads down or, if turned, along the other side.
struct DotShape {
  enum Outline : uint8_t { kRound, kEllipse, kLine, kDiamond };
  static constexpr int32_t kOutlines = 4;

  Outline outline = kRound;
  bool is_turned = false;
};

// The offsets, as bricks: rectangles that fill the plane in courses, each
// course shifted against the one above.
class Screen {
 public:
  static Screen Of(const Supercell& supercell, const DotShape& shape = {});
  // The mask of `blue-noise`.
  static Screen BlueNoise();
  // The same offset everywhere.
  static Screen Flat(uint16_t offset);

  int32_t rows() const { return rows_; }  // of a brick
  int32_t columns() const { return columns_; }

  // The place in the brick of column 0 of a row of the page.
  struct Place {
    int32_t row;
    int32_t column;
  };
  Place PlaceOf(int64_t page_row) const {
    return {static_cast<int32_t>(page_row % rows_),
            static_cast<int32_t>(page_row / rows_ * shift_ % columns_)};
  }

  // How far each course's column 0 is shifted: 0 … columns() - 1.
  int32_t shift() const { return shift_; }

  // The offsets of a row of the brick, 0 … kWhite - 1 each.
  std::span<const uint16_t> row(int32_t i) const {
    return {offsets_.data() + static_cast<size_t>(i) * columns(),
            static_cast<size_t>(columns_)};
  }

  int OffsetAt(int64_t page_row, int32_t page_column) const {
    const Place place = PlaceOf(page_row);
    const int64_t column = int64_t{place.column} + page_column;
    return row(place.row)[static_cast<size_t>(column % columns_)];
  }

 private:
  Screen(int32_t rows, int32_t columns, int32_t shift)
      : rows_(rows), columns_(columns), shift_(shift) {}

  int32_t rows_;
  int32_t columns_;
  int32_t shift_;
  std::vector<uint16_t> offsets_;
};

}  // namespace halftoned
