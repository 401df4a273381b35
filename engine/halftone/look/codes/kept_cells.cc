// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/codes/kept_cells.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>

#include "halftone/cpu/simd/bits/edge_bits.h"

namespace halftoned {
namespace {

constexpr int64_t kGap = 8;     // cells without contrast that end a stretch
constexpr int64_t kFewest = 2;  // cells with contrast in a stretch
constexpr int64_t kQuietCells = 12;  // cells added on each side of a stretch
constexpr size_t kMostOfMedian = 31;
constexpr int64_t kFewestOfTop = 6;
constexpr int kFewestTurns = 3;  // rows of cells of horizontal bars

uint16_t MedianOf(std::span<uint16_t> numbers) {
  const auto middle =
      numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::ranges::nth_element(numbers, middle);
  return *middle;
}

// Finds the runs of at least `fewest` bits. The last word ends with a bit of 0.
void FindRuns(const std::vector<uint64_t>& bits, int64_t fewest,
              std::vector<KeptCells::Run>& runs) {
  runs.clear();
  uint64_t before = 0;
  int64_t first = 0;
  for (size_t word = 0; word < bits.size(); ++word) {
    const uint64_t here = bits[word];
    for (uint64_t turns = here ^ (here << 1 | before); turns != 0;
         turns &= turns - 1) {
      const int bit = std::countr_zero(turns);
      const auto cell = static_cast<int64_t>(64 * word) + bit;
      if ((here >> bit & 1) != 0) {
        first = cell;
      } else if (cell - first >= fewest) {
        runs.push_back({first, cell});
      }
    }
    before = here >> 63;
  }
}

}  // namespace

KeptCells::KeptCells(const LightRows& rows)
    : columns_(rows.columns()),
      cells_((columns_ + simd::kCellSide - 1) / simd::kCellSide),
      highest_(static_cast<uint16_t>(rows.highest())),
      quarter_(static_cast<uint16_t>(highest_ / 4 + 1)) {
  const auto cells = static_cast<size_t>(cells_);
  bits_.resize(cells / 64 + 1);
  marks_.resize(64 * bits_.size());
  for (Row& row : rows_) {
    row.least.resize(cells);
    row.most.resize(cells);
    row.contrast.resize(bits_.size());
  }
}

void KeptCells::Add(std::span<const uint16_t> least,
                    std::span<const uint16_t> most) {
  const Row* const above = count_ == 0 ? nullptr : &RowAt(count_ - 1);
  Row& row = rows_[static_cast<size_t>(count_++) % rows_.size()];
  row.stretches.clear();
  row.tops.clear();
  row.runs.clear();
  row.has_gray = !least.empty();
  if (!row.has_gray) {
    std::ranges::fill(row.contrast, 0);
    return;
  }
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

int KeptCells::MostAt(int64_t at, int64_t cell) const {
  if (at < 0 || !RowAt(at).has_gray) return highest_;
  return RowAt(at).most[static_cast<size_t>(cell)];
}

bool KeptCells::MayBeBars(int64_t at, int64_t count, int64_t cell) const {
  const auto here = static_cast<size_t>(cell);
  int turns = 0;
  int least_above = highest_, most_above = highest_;
  for (int64_t i = at; i < std::min(at + count, count_); ++i) {
    const Row& row = RowAt(i);
    if (!row.has_gray) continue;
    const int least = row.least[here], most = row.most[here];
    const int range = std::max(most, most_above) - std::min(least, least_above);
    least_above = least;
    most_above = most;
    const int off = std::abs(least - row.least[here - 1]) +
                    std::abs(least - row.least[here + 1]) +
                    std::abs(most - row.most[here - 1]) +
                    std::abs(most - row.most[here + 1]);
    turns += range >= quarter_ && off < quarter_ ? 1 : 0;
  }
  return turns >= kFewestTurns;
}

void KeptCells::SetBits(std::vector<uint64_t>& bits) const {
  // Moves the lowest bit of each byte into the highest byte.
  constexpr uint64_t kGather = 0x0102040810204080;
  const uint8_t* marks = marks_.data();
  for (uint64_t& word : bits) {
    word = 0;
    for (int bit = 0; bit < 64; bit += 8, marks += 8) {
      uint64_t eight = 0;
      std::memcpy(&eight, marks, sizeof(eight));
      word |= eight * kGather >> 56 << bit;
    }
  }
}

void KeptCells::FindStretches(Row& row) {
  const size_t cells = row.least.size();
  // Local copies: a store to bytes may alias members, which the compiler would
  // then read again for each cell.
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
  SetBits(row.contrast);
  FindRuns(row.contrast, 1, row.runs);
  int64_t count = 0;
  Run all{0, 0};
  const auto add = [&] {
    if (count >= kFewest) row.stretches.push_back(StretchOf(row, all));
    count = 0;
  };
  for (const Run& run : row.runs) {
    if (count > 0 && run.first - all.end >= kGap) add();
    if (count == 0) all.first = run.first;
    all.end = run.end;
    count += run.end - run.first;
  }
  add();
}

Stretch KeptCells::StretchOf(const Row& row, const Run& all) const {
  std::array<uint16_t, kMostOfMedian> dark{}, light{};
  const int64_t step =
      (all.end - all.first + int64_t{kMostOfMedian} - 1) / kMostOfMedian;
  size_t taken = 0;
  for (int64_t from = all.first; from < all.end; from += step) {
    auto i = static_cast<size_t>(from);
    const auto end = static_cast<size_t>(std::min(from + step, all.end));
    while (i < end && (row.contrast[i / 64] >> i % 64 & 1) == 0) ++i;
    if (i == end) continue;
    const size_t before = i == 0 ? 0 : i - 1;
    dark[taken] = std::min(row.least[before], row.least[i]);
    light[taken++] = std::max(row.most[before], row.most[i]);
  }
  const int sum = MedianOf(std::span(dark).first(taken)) +
                  MedianOf(std::span(light).first(taken));
  const int64_t left = std::max(all.first - kQuietCells - 1, int64_t{0});
  const int64_t right =
      std::min(simd::kCellSide * (all.end + kQuietCells), columns_);
  return {static_cast<size_t>(simd::kCellSide * left),
          static_cast<size_t>(right), static_cast<uint16_t>(sum / 2 + 1)};
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
    for (size_t i = 0; i < cells; ++i) {
      const auto range = static_cast<uint16_t>(to[i] - from[i]);
      const auto darker =
          static_cast<uint16_t>(from[i] - std::min(from[i], least[i]));
      marks[i] = ((range < quarter) & (darker >= quarter)) ? 1 : 0;
    }
  } else {
    for (size_t i = 0; i < cells; ++i) {
      marks[i] = static_cast<uint16_t>(highest - least[i]) >= quarter ? 1 : 0;
    }
  }
  SetBits(bits_);
  FindRuns(bits_, kFewestOfTop, row.tops);
}

}  // namespace halftoned
