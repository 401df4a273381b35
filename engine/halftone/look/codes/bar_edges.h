// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the places where a row of the page changes between light and dark, for
// the finders of bar codes. It knows no symbology.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "halftone/cpu/simd/bits/pure_bits.h"
#include "halftone/page/page.h"

namespace halftoned {

// Places are in 1/256 of a pixel, from the left side of the first one.
constexpr int64_t kPixel = 256;

// std::popcount calls a function unless the target is known to have the
// instruction.
inline size_t OnesOf(uint64_t word) {
  word -= word >> 1 & 0x5555555555555555;
  word = (word & 0x3333333333333333) + (word >> 2 & 0x3333333333333333);
  word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0f;
  return word * 0x0101010101010101 >> 56;
}

// The pixels of a row that belong to a code, and the least light of the code's
// background.
struct CodeStretch {
  size_t left, right;
  uint16_t light_from;
};

// The rows of a page that have been added and have not been finished, at most
// kMost. Finders read them often, so this is no callback.
class KnownRows {
 public:
  static constexpr int64_t kMost = 256;

  void Add(const std::byte* bytes) { Place(end_++) = bytes; }
  // The row is at `bytes` now.
  void Move(int64_t row, const std::byte* bytes) { Place(row) = bytes; }
  // Rows before `end` may change.
  void Finish(int64_t end) { first_ = end; }
  // Null if it is not known.
  const std::byte* Row(int64_t row) const {
    return row < first_ || row >= end_ ? nullptr : KnownRow(row);
  }
  const std::byte* KnownRow(int64_t row) const {
    return rows_[static_cast<size_t>(row) % kMost];
  }
  bool AreKnown(int64_t first, int64_t last) const {
    return first >= first_ && last < end_;
  }

 private:
  const std::byte*& Place(int64_t row) {
    return rows_[static_cast<size_t>(row) % kMost];
  }

  int64_t first_ = 0, end_ = 0;
  std::array<const std::byte*, kMost> rows_{};
};

// The samples of some rows of a page, flipped if they fall with the light.
class LightRows {
 public:
  // rows: outlives this.
  LightRows(const Page& page, uint16_t flip, const KnownRows& rows)
      : columns_(page.width()),
        depth_(page.depth()),
        flip_(flip),
        rows_(rows) {}

  int64_t columns() const { return columns_; }
  Depth depth() const { return depth_; }
  uint16_t flip() const { return flip_; }
  int highest() const { return depth_ == Depth::k8 ? 255 : 65535; }
  const std::byte* Row(int64_t row) const { return rows_.Row(row); }
  const std::byte* KnownRow(int64_t row) const { return rows_.KnownRow(row); }
  bool AreKnown(int64_t first, int64_t last) const {
    return rows_.AreKnown(first, last);
  }
  int At(const std::byte* row, int64_t column) const {
    if (depth_ == Depth::k8) return std::to_integer<int>(row[column]) ^ flip_;
    uint16_t sample = 0;
    std::memcpy(&sample, row + 2 * column, sizeof(sample));
    return sample ^ flip_;
  }
  // The light of the pixel at a place; -1 if its row is not known. Beside and
  // above the page, everything is white.
  int AtPlace(int64_t x, int64_t y) const {
    if (x < 0 || x >= columns_ * kPixel || y < 0) return highest();
    const std::byte* const row = Row(y / kPixel);
    return row ? At(row, x / kPixel) : -1;
  }

 private:
  const int64_t columns_;
  const Depth depth_;
  const uint16_t flip_;
  const KnownRows& rows_;
};

// The exact place of an edge right before a column, interpolated from the light
// on both sides.
inline int64_t PlaceOfEdge(const LightRows& rows, const std::byte* row,
                           int32_t column, int light_from) {
  const int from = rows.At(row, column - 1), to = rows.At(row, column);
  // The middle of a pixel is half a pixel from its left side.
  constexpr int kParts = kPixel;
  return column * kPixel - kPixel / 2 +
         (light_from - from) * kParts / (to - from);
}

struct Stretch {
  size_t left, right;  // columns, with some that may be a quiet zone
  uint16_t light_from;
};

class BarEdges {
 public:
  BarEdges(const LightRows& rows, const simd::PureKernels& kernels)
      : rows_(rows),
        kernels_(kernels),
        dark_(static_cast<size_t>(rows.columns()) / 64 + 1),
        found_(64 * dark_.size() + 1) {}

  // Finds the edges of a row within a stretch; none if it turns as often as
  // noise. Places reads the row again.
  void Find(const Stretch& stretch, const std::byte* row);

  // The first columns of each bar and of the space after it, from left to
  // right; an even number.
  std::span<const int32_t> columns() const { return columns_; }
  // The row is light from light_since() to the first bar, and from the last bar
  // to light_to().
  int32_t light_since() const { return light_since_; }
  int32_t light_to() const { return light_to_; }
  uint16_t light_from() const { return light_from_; }

  // The exact places of some of these edges.
  std::span<const int64_t> Places(size_t first, size_t count);

 private:
  const LightRows& rows_;
  const simd::PureKernels kernels_;
  const std::byte* row_ = nullptr;
  uint16_t light_from_ = 0;
  int32_t light_since_ = 0, light_to_ = 0;
  std::vector<uint64_t> dark_;
  std::vector<int32_t> found_;
  std::span<const int32_t> columns_;  // of found_
  std::vector<int64_t> places_;
};

}  // namespace halftoned
