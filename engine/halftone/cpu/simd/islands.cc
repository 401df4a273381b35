// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/cpu/simd/islands.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace halftoned::simd {
namespace {

// A gray pixel hands its state to pixels up to two columns beside it in the row
// below, and those see one column further.
constexpr int32_t kShore = 3;

// Find checks this often whether a strip is gray all over.
constexpr int32_t kRowsBetweenLooks = 8;

bool IsWhole(const std::vector<Island>& islands, int32_t width) {
  return islands.size() == 1 && islands[0].end - islands[0].first == width;
}

}  // namespace

std::optional<PureLimits> IslandLimits(const Recipe& recipe, Depth depth) {
  if (!recipe.is_pure() || recipe.levels().count != 2) return std::nullopt;
  return PureLimitsOf(recipe.curve(), depth);
}

IslandFinder::IslandFinder(const Page& page, const PureLimits& limits)
    : width_(page.width()),
      words_((static_cast<size_t>(page.width()) + 63) / 64),
      limits_(limits),
      kernels_(FastestPureKernels(page.depth())),
      bits_(words_ + 1),
      gray_(words_ + 1) {}

void IslandFinder::Find(const GrayBand& gray, const BitRoom& bits,
                        std::vector<Island>& islands) {
  std::ranges::fill(gray_, 0);
  for (int32_t row = 0; row < gray.rows; ++row) {
    AddRow(gray.row(row), bits.row(row));
    if (row % kRowsBetweenLooks != kRowsBetweenLooks - 1) continue;
    CutIslands(islands);
    if (IsWhole(islands, width_)) return;
  }
  CutIslands(islands);
}

bool IslandFinder::IsPure(const GrayBand& gray, const BitRoom& bits) {
  for (int32_t row = 0; row < gray.rows; ++row) {
    if (AddRow(gray.row(row), bits.row(row))) return false;
  }
  return true;
}

bool IslandFinder::AddRow(const std::byte* gray, std::byte* bits) {
  const auto columns = static_cast<size_t>(width_);
  const bool has_gray =
      kernels_.pack(gray, columns, limits_, gray_.data(), bits_.data());
  std::memcpy(bits, bits_.data(), (columns + 7) / 8);
  return has_gray;
}

void IslandFinder::CutIslands(std::vector<Island>& islands) const {
  islands.clear();
  int32_t computed = 0;
  for (size_t word = 0; word < words_; ++word) {
    const auto column = static_cast<int32_t>(64 * word);
    if (gray_[word] == 0) continue;
    const uint64_t gray = ReverseBitsOfBytes(gray_[word]);
    const int32_t first = column + std::countr_zero(gray) - kShore;
    const int32_t end = column + 64 - std::countl_zero(gray) + kShore;
    if (islands.empty() || first - islands.back().end > kCostOfIsland) {
      islands.push_back({std::max(first, 0) / 8 * 8, 0});
      computed += kCostOfIsland;
    }
    Island& last = islands.back();
    computed -= last.end > 0 ? last.end - last.first : 0;
    last.end = std::min((end + 7) / 8 * 8, width_);
    computed += last.end - last.first;
  }
  // If the islands are nearly the whole strip, the strip is one island, which
  // continues from strip to strip without a stop.
  if (computed - kCostOfIsland > width_ - width_ / 8) islands = {{0, width_}};
}

}  // namespace halftoned::simd
