// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/codes/bar_edges.h"

#include <algorithm>
#include <bit>

#include "halftone/cpu/simd/bits/edge_bits.h"

namespace halftoned {
namespace {

constexpr size_t kGap = 8;           // cells of a stretch without contrast
constexpr size_t kFewest = 2;        // cells of a stretch with contrast
constexpr size_t kFewestPixels = 5;  // of two elements, in the mean: not noise
constexpr size_t kQuietCells = 12;   // cells of quiet zone that are looked at

uint16_t MedianOf(std::vector<uint16_t>& numbers) {
  const auto middle =
      numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::ranges::nth_element(numbers, middle);
  return *middle;
}

}  // namespace

std::vector<Stretch> StretchesOf(const LightRows& rows,
                                 std::span<const uint16_t> least,
                                 std::span<const uint16_t> most) {
  std::vector<Stretch> stretches;
  std::vector<uint16_t> dark, light;
  const size_t cells = least.size();
  const int highest = rows.highest();
  for (size_t i = 0, gap = 0, end = 0; i <= cells + kGap; ++i, ++gap) {
    const size_t before = i == 0 ? 0 : i - 1;
    if (i < cells) {
      const uint16_t from = std::min(least[before], least[i]);
      const uint16_t to = std::max(most[before], most[i]);
      if (4 * (to - from) >= highest) {
        if (dark.empty()) stretches.push_back({before, 0, 0});
        dark.push_back(from);
        light.push_back(to);
        gap = 0;
        end = i + 1;
      }
    }
    if (dark.empty() || gap < kGap) continue;
    Stretch& here = stretches.back();
    if (dark.size() < kFewest) {
      stretches.pop_back();
    } else {
      const int sum = MedianOf(dark) + MedianOf(light);
      here.left =
          simd::kCellSide * (here.left - std::min(here.left, kQuietCells));
      here.right = std::min(simd::kCellSide * (end + kQuietCells),
                            static_cast<size_t>(rows.columns()));
      here.light_from = static_cast<uint16_t>(sum / 2 + 1);
    }
    dark.clear();
    light.clear();
  }
  return stretches;
}

void BarEdges::Find(const Stretch& stretch, const std::byte* row) {
  row_ = row;
  light_from_ = stretch.light_from;
  const size_t count = stretch.right - stretch.left;
  const auto left = static_cast<int32_t>(stretch.left);
  light_since_ = left;
  light_to_ = static_cast<int32_t>(stretch.right);
  kernels_.find(row + stretch.left * BytesPerSample(rows_.depth()), count,
                {rows_.flip(), light_from_, light_from_}, bits_.row());
  const uint64_t* const dark = bits_.row().black;
  columns_.clear();
  uint64_t before = dark[0] & 1;
  const bool begins_dark = before != 0;
  for (size_t word = 0; 64 * word < count; ++word) {
    uint64_t turns = dark[word] ^ (dark[word] << 1 | before);
    before = dark[word] >> 63;
    // The bits beyond the last column are no edges.
    if (64 * (word + 1) > count) turns &= (uint64_t{1} << count % 64) - 1;
    if (kFewestPixels * columns_.size() > 2 * count) {
      columns_.clear();
      return;
    }
    for (; turns != 0; turns &= turns - 1) {
      columns_.push_back(left + static_cast<int32_t>(64 * word) +
                         std::countr_zero(turns));
    }
  }
  // A quiet zone must be seen, so what begins dark begins with its end.
  if (begins_dark && !columns_.empty()) {
    light_since_ = columns_.front();
    columns_.erase(columns_.begin());
  }
  if (columns_.size() % 2 != 0) {
    light_to_ = columns_.back();
    columns_.pop_back();
  }
}

std::span<const int64_t> BarEdges::Places(size_t first, size_t count) {
  places_.clear();
  for (const int32_t i : columns().subspan(first, count)) {
    const int from = rows_.At(row_, i - 1), to = rows_.At(row_, i);
    // The middle of a pixel is half a pixel from its left side.
    constexpr int kParts = kPixel;
    places_.push_back(i * kPixel - kPixel / 2 +
                      (light_from_ - from) * kParts / (to - from));
  }
  return places_;
}

}  // namespace halftoned
