// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/codes/code_light.h"

#include <algorithm>
#include <numeric>

namespace halftoned {
namespace {

constexpr int64_t kShare = 20;

}  // namespace

void CodeLight::AddRow(int64_t row, int64_t from, int64_t to) {
  const std::byte* const bytes = row < 0 ? nullptr : rows_.Row(row);
  if (!bytes) return;
  const int64_t end = std::min(to / kPixel, rows_.columns());
  const int more_bits = rows_.depth() == Depth::k8 ? 0 : 8;
  for (int64_t i = std::max(from / kPixel, int64_t{0}); i < end; ++i) {
    ++counts_[static_cast<size_t>(rows_.At(bytes, i) >> more_bits)];
  }
}

void CodeLight::AddArea(const CodeArea& area) {
  const int64_t one = area.slope * area.left / ModuleGrid::kOne;
  const int64_t other = area.slope * area.right / ModuleGrid::kOne;
  const int64_t top = area.origin.y + area.top + std::min(one, other);
  const int64_t bottom = area.origin.y + area.bottom + std::max(one, other);
  for (int64_t row = top / kPixel; row * kPixel < bottom; ++row) {
    const auto [from, to] = area.WithinRow(row * kPixel + kPixel / 2);
    AddRow(row, from + kPixel / 2, to + kPixel / 2);
  }
}

uint16_t CodeLight::LightFrom() const {
  const int64_t twentieth =
      std::accumulate(counts_.begin(), counts_.end(), int64_t{0}) / kShare;
  int dark = 0, light = 255;
  for (int64_t sum = counts_[0]; sum <= twentieth && dark < light;) {
    sum += counts_[static_cast<size_t>(++dark)];
  }
  for (int64_t sum = counts_[255]; sum <= twentieth && light > dark;) {
    sum += counts_[static_cast<size_t>(--light)];
  }
  const int middle = (dark + light) / 2 + 1;
  return static_cast<uint16_t>(rows_.depth() == Depth::k8 ? middle
                                                          : middle << 8);
}

uint16_t LightFromOf(const LightRows& rows, const CodeArea& area) {
  CodeLight light(rows);
  light.AddArea(area);
  return light.LightFrom();
}

}  // namespace halftoned
