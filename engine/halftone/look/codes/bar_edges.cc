// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/codes/bar_edges.h"

#include <algorithm>
#include <bit>

namespace halftoned {
namespace {

constexpr size_t kFewestPixels = 5;  // per two elements; fewer: noise

}  // namespace

void BarEdges::Find(const Stretch& stretch, const std::byte* row) {
  row_ = row;
  light_from_ = stretch.light_from;
  const size_t count = stretch.right - stretch.left;
  const auto left = static_cast<int32_t>(stretch.left);
  const auto right = static_cast<int32_t>(stretch.right);
  light_since_ = left;
  light_to_ = right;
  columns_ = {};
  kernels_.find_dark(row + stretch.left * BytesPerSample(rows_.depth()), count,
                     rows_.flip(), light_from_, dark_.data());
  const bool begins_dark = (dark_[0] & 1) != 0;
  uint64_t before = dark_[0] & 1;
  int32_t* const begin = found_.data();
  const int32_t* const most = begin + 2 * count / kFewestPixels;
  int32_t* end = begin;
  for (int32_t first = left; first < right; first += 64) {
    const uint64_t dark = dark_[static_cast<size_t>(first - left) / 64];
    for (uint64_t turns = dark ^ (dark << 1 | before); turns != 0;
         turns &= turns - 1) {
      *end++ = first + std::countr_zero(turns);
    }
    before = dark >> 63;
    if (end > most) return;
  }
  // The end of a dark row is not an edge.
  if (end != begin && end[-1] == right) --end;
  columns_ = std::span(found_).first(static_cast<size_t>(end - begin));
  // A quiet zone must be visible, so a row that starts dark counts from where
  // it turns light.
  if (begins_dark && !columns_.empty()) {
    light_since_ = columns_.front();
    columns_ = columns_.subspan(1);
  }
  if (columns_.size() % 2 != 0) {
    light_to_ = columns_.back();
    columns_ = columns_.first(columns_.size() - 1);
  }
}

std::span<const int64_t> BarEdges::Places(size_t first, size_t count) {
  places_.resize(std::max(places_.size(), count));
  int64_t* place = places_.data();
  for (const int32_t i : columns().subspan(first, count)) {
    *place++ = PlaceOfEdge(rows_, row_, i, light_from_);
  }
  return std::span(places_).first(count);
}

}  // namespace halftoned
