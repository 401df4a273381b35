// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/code_cells.h"

#include <algorithm>

#include "halftone/look/row_bits.h"

namespace halftoned {
namespace {

constexpr size_t kCell = simd::kCellSide;
constexpr int kTurnsAcross = 52;
constexpr int kTurnsDown = 94;
constexpr size_t kBeside = 4;  // cells of a window, on either side
constexpr uint64_t kBytes = 0x0101010101010101;

bool IsContrast(int range, int highest) { return 16 * range >= 5 * highest; }

// How many bits each byte of a word has.
uint64_t BitsOfBytes(uint64_t word) {
  word -= word >> 1 & 0x5555555555555555;
  word = (word & 0x3333333333333333) + (word >> 2 & 0x3333333333333333);
  return (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0f;
}

uint8_t* BytesOf(std::vector<uint64_t>& cells) {
  return reinterpret_cast<uint8_t*>(cells.data() + 1);
}
const uint8_t* BytesOf(const std::vector<uint64_t>& cells) {
  return reinterpret_cast<const uint8_t*>(cells.data() + 1);
}

// Joins each number of `cells`, of which the first kBeside lie beside the page,
// with the eight that follow it, so that it is the join of a window's.
template <typename Join>
void JoinWindows(std::vector<uint16_t>& cells, const Join& join) {
  uint16_t* const all = cells.data();
  const size_t count = cells.size() - 2 * kBeside;
  const auto with_next = [&](size_t reach, size_t so_many) {
    for (size_t i = 0; i < so_many; ++i) all[i] = join(all[i], all[i + reach]);
  };
  // The ninth is read before it is joined itself.
  std::vector<uint16_t> ninth(cells.begin() + 2 * kBeside, cells.end());
  with_next(1, count + 6);
  with_next(2, count + 4);
  with_next(4, count);
  for (size_t i = 0; i < count; ++i) all[i] = join(all[i], ninth[i]);
}

template <typename Sample>
void FillCell(std::vector<std::byte>& levels, size_t cell, int level) {
  std::fill_n(reinterpret_cast<Sample*>(levels.data()) + kCell * cell, kCell,
              static_cast<Sample>(level));
}

}  // namespace

CodeCells::CodeCells(const Page& page, uint16_t flip,
                     const simd::EdgeKernels& kernels)
    : columns_(static_cast<size_t>(page.width())),
      cells_((columns_ + kCell - 1) / kCell),
      words_((columns_ + 63) / 64),
      sample_bytes_(BytesPerSample(page.depth())),
      flip_(flip),
      highest_(page.depth() == Depth::k8 ? 255 : 65535),
      kernels_(kernels) {
  const size_t bytes = kCell * cells_ * sample_bytes_;
  for (Row& row : rows_) {
    for (auto* each : {&row.least, &row.most}) each->resize(cells_);
    for (auto* each :
         {&row.contrast, &row.sure, &row.across, &row.down, &row.vague}) {
      each->resize(words_ + 2);
    }
    row.levels.resize(bytes);
  }
  for (auto* each : {&least_, &most_, &across_, &down_, &vague_sum_}) {
    each->resize(cells_ + 2 * kBeside);
  }
  for (auto* each : {&low_, &high_}) each->resize(bytes);
  room_.resize(2 * bytes);
  for (auto* each : {&light_, &next_, &vague_from_, &vague_end_, &mask_}) {
    each->resize(words_ + 2);
  }
}

void CodeCells::Measure(CellRows rows) {
  Row& row = RowAt(measured_++);
  kernels_.extremes(rows.data(), rows.size(), columns_, flip_, room_.data(),
                    row.least.data(), row.most.data());
}

void CodeCells::SetLevels(Row& row) {
  std::ranges::fill(least_, static_cast<uint16_t>(highest_));
  std::ranges::fill(most_, uint16_t{0});
  const int64_t end = std::min(counted_ + kUp + 1, measured_);
  for (int64_t at = std::max<int64_t>(counted_ - kUp, 0); at < end; ++at) {
    const Row& other = RowAt(at);
    for (size_t cell = 0; cell < cells_; ++cell) {
      uint16_t& least = least_[kBeside + cell];
      uint16_t& most = most_[kBeside + cell];
      least = std::min(least, other.least[cell]);
      most = std::max(most, other.most[cell]);
    }
  }
  JoinWindows(least_, [](uint16_t a, uint16_t b) { return std::min(a, b); });
  JoinWindows(most_, [](uint16_t a, uint16_t b) { return std::max(a, b); });
  std::ranges::fill(row.contrast, 0);
  row.has_contrast = false;
  const auto fill = [&](std::vector<std::byte>& levels, size_t cell,
                        int level) {
    sample_bytes_ == 1 ? FillCell<uint8_t>(levels, cell, level)
                       : FillCell<uint16_t>(levels, cell, level);
  };
  for (size_t cell = 0; cell < cells_; ++cell) {
    const int range = most_[cell] - least_[cell];
    // The levels of other cells are not used.
    if (!IsContrast(range, highest_)) continue;
    const int threshold = (least_[cell] + most_[cell]) / 2;
    row.has_contrast = true;
    BytesOf(row.contrast)[cell] = 0xff;
    fill(row.levels, cell, threshold + 1);
    fill(low_, cell, threshold - range / 6);
    fill(high_, cell, threshold + range / 6 + 1);
  }
}

void CodeCells::AddTurns(Row& row, CellRows rows) {
  const auto find = [&](const std::byte* from,
                        const std::vector<std::byte>& levels,
                        std::vector<uint64_t>& bits) {
    kernels_.compare(from, levels.data(), columns_, flip_, bits.data());
  };
  for (auto* each : {&row.across, &row.down, &row.vague}) {
    std::ranges::fill(*each, 0);
  }
  find(rows[0], row.levels, light_);
  for (size_t i = 0; i < rows.size(); ++i) {
    const bool has_next = i + 1 < rows.size();
    if (has_next) find(rows[i + 1], row.levels, next_);
    find(rows[i], low_, vague_from_);
    find(rows[i], high_, vague_end_);
    for (size_t word = 0; word < words_; ++word) {
      const uint64_t counted = row.contrast[1 + word];
      if (counted == 0) continue;
      const uint64_t here = light_[word];
      // Between a column and the one after it, in the same cell and on the
      // page.
      const size_t left = columns_ - 64 * word;
      const uint64_t pairs =
          left < 64 ? (uint64_t{1} << (left - 1)) - 1 : ~0ull;
      const uint64_t across = (here ^ here >> 1) & pairs & (kBytes * 0x7f);
      row.across[1 + word] += BitsOfBytes(across & counted);
      if (has_next) {
        row.down[1 + word] += BitsOfBytes((here ^ next_[word]) & counted);
      }
      row.vague[1 + word] +=
          BitsOfBytes(vague_from_[word] & ~vague_end_[word] & counted);
    }
    std::swap(light_, next_);
  }
}

void CodeCells::Count(CellRows rows) {
  Row& row = RowAt(counted_);
  SetLevels(row);
  if (row.has_contrast) AddTurns(row, rows);
  ++counted_;
}

void CodeCells::AddWindows(int64_t at, CellBytes Row::*numbers,
                           std::vector<uint16_t>& sums) {
  std::ranges::fill(sums, uint16_t{0});
  const int64_t end = std::min(at + kUp + 1, counted_);
  for (int64_t i = std::max<int64_t>(at - kUp, 0); i < end; ++i) {
    const Row& other = RowAt(i);
    if (!other.has_contrast) continue;
    const uint8_t* const each = BytesOf(other.*numbers);
    for (size_t cell = 0; cell < cells_; ++cell) {
      sums[kBeside + cell] =
          static_cast<uint16_t>(sums[kBeside + cell] + each[cell]);
    }
  }
  JoinWindows(sums, [](uint16_t a, uint16_t b) {
    return static_cast<uint16_t>(a + b);
  });
}

void CodeCells::FindSure(int64_t at) {
  Row& row = RowAt(at);
  row.has_sure = false;
  if (!row.has_contrast) return;
  AddWindows(at, &Row::across, across_);
  AddWindows(at, &Row::down, down_);
  AddWindows(at, &Row::vague, vague_sum_);
  for (size_t cell = 0; cell < cells_; ++cell) {
    const bool is_sure =
        (across_[cell] >= kTurnsAcross || down_[cell] >= kTurnsDown) &&
        2 * vague_sum_[cell] <= 3 * (across_[cell] + down_[cell]) &&
        BytesOf(row.contrast)[cell] != 0;
    BytesOf(row.sure)[cell] = is_sure ? 0xff : 0;
    row.has_sure |= is_sure;
  }
}

bool CodeCells::Decide(int64_t at) {
  for (; judged_ <= std::min(at + kUp, counted_ - 1); ++judged_) {
    FindSure(judged_);
  }
  const Row& row = RowAt(at);
  if (!row.has_contrast) return false;
  std::ranges::fill(next_, 0);
  bool is_any = false;
  const int64_t end = std::min(at + kUp + 1, counted_);
  for (int64_t i = std::max<int64_t>(at - kUp, 0); i < end; ++i) {
    const Row& other = RowAt(i);
    if (!other.has_sure) continue;
    is_any = true;
    for (size_t word = 1; word <= words_; ++word)
      next_[word] |= other.sure[word];
  }
  if (!is_any) return false;
  for (size_t word = 1; word <= words_; ++word) {
    mask_[word] =
        row.contrast[word] & Widened(&next_[word], kCell * kBeside, kCell);
  }
  if (columns_ % 64 != 0) {
    mask_[words_] &= (uint64_t{1} << columns_ % 64) - 1;
  }
  return true;
}

}  // namespace halftoned
