// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/codes/bar_edges.h"

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
  light_since_ = left;
  light_to_ = static_cast<int32_t>(stretch.right);
  kernels_.find(row + stretch.left * BytesPerSample(rows_.depth()), count,
                {rows_.flip(), light_from_, light_from_}, bits_.row());
  columns_.clear();
  turns_.assign((count + 63) / 64, 0);
  const uint64_t* const dark = bits_.row().black;
  const bool begins_dark = (dark[0] & 1) != 0;
  uint64_t before = dark[0] & 1;
  size_t turns = 0;
  for (size_t word = 0; word < turns_.size(); ++word) {
    turns_[word] = dark[word] ^ (dark[word] << 1 | before);
    before = dark[word] >> 63;
    turns += OnesOf(turns_[word]);
  }
  if (kFewestPixels * turns > 2 * count) return;
  // The bits beyond the last column are not edges.
  if (count % 64 != 0) turns_.back() &= (uint64_t{1} << count % 64) - 1;
  columns_.resize(turns);
  int32_t* column = columns_.data();
  int32_t first = left;
  for (const uint64_t word : turns_) {
    for (uint64_t rest = word; rest != 0; rest &= rest - 1) {
      *column++ = first + std::countr_zero(rest);
    }
    first += 64;
  }
  columns_.resize(static_cast<size_t>(column - columns_.data()));
  // A quiet zone must be visible, so a row that starts dark counts from where
  // it turns light.
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
