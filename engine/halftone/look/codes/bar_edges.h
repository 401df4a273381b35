// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a row of the page turns from light to dark and back, as finders of bar
// codes ask. It knows no symbology.

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "halftone/cpu/simd/bits/pure_bits.h"
#include "halftone/look/edges/row_bits.h"
#include "halftone/page/page.h"

namespace halftoned {

// Places are in 1/256 of a pixel, from the left side of the first one.
constexpr int64_t kPixel = 256;

// The pixels of a row that belong to a code, and the least light of its ground.
struct CodeStretch {
  size_t left, right;
  uint16_t light_from;
};

// The samples of some rows of a page, as they rise with the light.
class LightRows {
 public:
  // row: null for rows that are not known, or may have changed.
  using RowOf = std::function<const std::byte*(int64_t row)>;

  LightRows(const Page& page, uint16_t flip, RowOf row_of)
      : columns_(page.width()),
        depth_(page.depth()),
        flip_(flip),
        row_of_(std::move(row_of)) {}

  int64_t columns() const { return columns_; }
  Depth depth() const { return depth_; }
  uint16_t flip() const { return flip_; }
  int highest() const { return depth_ == Depth::k8 ? 255 : 65535; }
  const std::byte* Row(int64_t row) const { return row_of_(row); }
  int At(const std::byte* row, int64_t column) const {
    if (depth_ == Depth::k8) return std::to_integer<int>(row[column]) ^ flip_;
    uint16_t sample = 0;
    std::memcpy(&sample, row + 2 * column, sizeof(sample));
    return sample ^ flip_;
  }
  // The light of the pixel at a place; -1 where none is known. Beside the page
  // and above it is light.
  int AtPlace(int64_t x, int64_t y) const {
    if (x < 0 || x >= columns_ * kPixel || y < 0) return highest();
    const std::byte* const row = Row(y / kPixel);
    return row ? At(row, x / kPixel) : -1;
  }

 private:
  const int64_t columns_;
  const Depth depth_;
  const uint16_t flip_;
  const RowOf row_of_;
};

struct Stretch {
  size_t left, right;  // columns, with some that may be a quiet zone
  uint16_t light_from;
};

class BarEdges {
 public:
  BarEdges(const LightRows& rows, const Page& page,
           const simd::PureKernels& kernels)
      : rows_(rows), kernels_(kernels), bits_(page) {}

  // Looks at a row in a stretch; finds nothing where it turns as often as
  // noise. The row is asked for again by Places.
  void Find(const Stretch& stretch, const std::byte* row);

  // The first columns of bars, of even number, and of what follows each, from
  // left to right.
  std::span<const int32_t> columns() const { return columns_; }
  // From here and to here it is light before the first bar and after the last.
  int32_t light_since() const { return light_since_; }
  int32_t light_to() const { return light_to_; }
  uint16_t light_from() const { return light_from_; }

  // Where exactly some of these are, by the light on both sides.
  std::span<const int64_t> Places(size_t first, size_t count);

 private:
  const LightRows& rows_;
  const simd::PureKernels kernels_;
  RowBits bits_;
  const std::byte* row_ = nullptr;
  uint16_t light_from_ = 0;
  int32_t light_since_ = 0, light_to_ = 0;
  std::vector<int32_t> columns_;
  std::vector<uint64_t> turns_;
  std::vector<int64_t> places_;
};

}  // namespace halftoned
