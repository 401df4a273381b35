// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/codes/code_area.h"

namespace halftoned {
namespace {

constexpr int64_t kOne = ModuleGrid::kOne;

}  // namespace

bool CodeArea::IsAbove(int64_t row) const {
  const int64_t down = std::max(slope * left, slope * right) / kOne;
  return origin.y + bottom + down + kPixel < row * kPixel;
}

std::pair<int64_t, int64_t> CodeArea::WithinRow(int64_t y) const {
  const int64_t down = y - origin.y;
  const int64_t across = slope * down / kOne;
  int64_t from = left - across, to = right - across;
  if (slope == 0) {
    if (down < top || down >= bottom) return {0, 0};
  } else {
    const int64_t one = (down - bottom) * kOne / slope;
    const int64_t other = (down - top) * kOne / slope;
    from = std::max(from, std::min(one, other));
    to = std::min(to, std::max(one, other));
  }
  return {origin.x + from, origin.x + to};
}

void CodeArea::AddStretch(int64_t row, int64_t columns,
                          std::vector<CodeStretch>& stretches) const {
  const auto [from, to] = WithinRow(row * kPixel + kPixel / 2);
  const auto column = [&](int64_t x) {
    return static_cast<size_t>(
        std::clamp((x + kPixel / 2) / kPixel, int64_t{0}, columns));
  };
  if (from < to) stretches.push_back({column(from), column(to), light_from});
}

}  // namespace halftoned
