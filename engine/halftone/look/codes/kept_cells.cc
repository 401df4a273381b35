// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/codes/kept_cells.h"

#include <algorithm>
#include <cstring>

#include "halftone/cpu/simd/bits/edge_bits.h"

namespace halftoned {
namespace {

constexpr size_t kGap = 8;          // cells of a stretch without contrast
constexpr size_t kFewest = 2;       // cells of a stretch with contrast
constexpr size_t kQuietCells = 12;  // cells of quiet zone that are looked at
constexpr size_t kMostOfMedian = 31;
constexpr int64_t kFewestOfTop = 5;
constexpr size_t kWord = sizeof(uint64_t);

uint16_t MedianOf(std::span<uint16_t> numbers) {
  const auto middle =
      numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::ranges::nth_element(numbers, middle);
  return *middle;
}

// Calls `add` with the place of each mark.
template <typename AddPlace>
void ForEachMark(const std::vector<uint8_t>& marks, const AddPlace& add) {
  for (size_t from = 0; from < marks.size(); from += kWord) {
    uint64_t word = 0;
    std::memcpy(&word, &marks[from], kWord);
    for (size_t i = from; word != 0; ++i, word >>= 8) {
      if ((word & 1) != 0) add(i);
    }
  }
}

}  // namespace

KeptCells::KeptCells(const LightRows& rows)
    : columns_(rows.columns()),
      highest_(static_cast<uint16_t>(rows.highest())),
      quarter_(static_cast<uint16_t>(highest_ / 4 + 1)) {
  const auto cells =
      static_cast<size_t>(columns_ + simd::kCellSide - 1) / simd::kCellSide;
  for (Row& row : rows_) {
    row.least.resize(cells);
    row.most.resize(cells);
  }
  marks_.resize((cells + kWord - 1) / kWord * kWord);
}

void KeptCells::Add(std::span<const uint16_t> least,
                    std::span<const uint16_t> most) {
  const Row* const above = count_ == 0 ? nullptr : &RowAt(count_ - 1);
  Row& row = rows_[static_cast<size_t>(count_++) % rows_.size()];
  row.stretches.clear();
  row.tops.clear();
  row.has_gray = !least.empty();
  if (!row.has_gray) return;
  std::ranges::copy(least, row.least.begin());
  std::ranges::copy(most, row.most.begin());
  FindStretches(row);
  if (!row.stretches.empty()) {
    FindTops(row, above && above->has_gray ? above : nullptr);
  }
}

int KeptCells::LeastAt(int64_t at, int64_t cell) const {
  if (at < 0 || !RowAt(at).has_gray) return highest_;
  return RowAt(at).least[static_cast<size_t>(cell)];
}

void KeptCells::FindStretches(Row& row) {
  const size_t cells = row.least.size();
  // Bytes alias members, which would be read again for each cell.
  uint8_t* const marks = marks_.data();
  const uint16_t *const least = row.least.data(), *const most = row.most.data();
  const uint16_t quarter = quarter_;
  marks[0] = most[0] - least[0] >= quarter ? 1 : 0;
  for (size_t i = 1; i < cells; ++i) {
    const uint16_t from = std::min(least[i - 1], least[i]);
    const uint16_t to = std::max(most[i - 1], most[i]);
    const auto range = static_cast<uint16_t>(to - from);
    marks[i] = range >= quarter ? 1 : 0;
  }
  size_t count = 0, first = 0, end = 0;
  const auto add = [&] {
    if (count >= kFewest) {
      row.stretches.push_back(StretchOf(row, first, end));
    }
    count = 0;
  };
  ForEachMark(marks_, [&](size_t i) {
    if (count > 0 && i > end + kGap - 1) add();
    if (count++ == 0) first = i;
    end = i + 1;
  });
  add();
}

// The marks are those of contrast.
Stretch KeptCells::StretchOf(const Row& row, size_t first, size_t end) const {
  std::array<uint16_t, kMostOfMedian> dark{}, light{};
  const size_t step = (end - first + kMostOfMedian - 1) / kMostOfMedian;
  size_t taken = 0;
  for (size_t from = first; from < end; from += step) {
    size_t i = from;
    while (i < std::min(from + step, end) && marks_[i] == 0) ++i;
    if (i >= std::min(from + step, end)) continue;
    const size_t before = i == 0 ? 0 : i - 1;
    dark[taken] = std::min(row.least[before], row.least[i]);
    light[taken++] = std::max(row.most[before], row.most[i]);
  }
  const int sum = MedianOf(std::span(dark).first(taken)) +
                  MedianOf(std::span(light).first(taken));
  const size_t left = first - std::min(first, kQuietCells + 1);
  return {simd::kCellSide * left,
          std::min(simd::kCellSide * (end + kQuietCells),
                   static_cast<size_t>(columns_)),
          static_cast<uint16_t>(sum / 2 + 1)};
}

// above: null if it is white.
void KeptCells::FindTops(Row& row, const Row* above) {
  const size_t cells = row.least.size();
  uint8_t* const marks = marks_.data();
  const uint16_t* const least = row.least.data();
  const uint16_t quarter = quarter_, highest = highest_;
  if (above) {
    const uint16_t* const from = above->least.data();
    const uint16_t* const to = above->most.data();
    const auto alike = static_cast<uint16_t>(quarter / 2);
    for (size_t i = 0; i < cells; ++i) {
      const auto range = static_cast<uint16_t>(to[i] - from[i]);
      const auto darker =
          static_cast<uint16_t>(from[i] - std::min(from[i], least[i]));
      marks[i] = (range < alike) & (darker >= quarter) ? 1 : 0;
    }
  } else {
    for (size_t i = 0; i < cells; ++i) {
      marks[i] = static_cast<uint16_t>(highest - least[i]) >= quarter ? 1 : 0;
    }
  }
  Top top{0, 0};
  const auto add = [&] {
    if (top.end - top.first >= kFewestOfTop) row.tops.push_back(top);
  };
  ForEachMark(marks_, [&](size_t i) {
    const auto cell = static_cast<int64_t>(i);
    if (cell != top.end) add(), top.first = cell;
    top.end = cell + 1;
  });
  add();
}

}  // namespace halftoned
