// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/code_cells.h"

#include <algorithm>

#include "halftone/look/row_bits.h"

namespace halftoned {
namespace {

constexpr size_t kCell = simd::kCellSide;
constexpr int kTurnsAcross = 52;
constexpr int kTurnsDown = 94;
constexpr int kLikely = 20;    // cells of a window
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
    for (auto* each : {&row.least, &row.most, &row.light_from}) {
      each->resize(cells_);
    }
    for (auto* each : {&row.contrast, &row.sure, &row.likely, &row.across,
                       &row.down, &row.pixels, &row.bright, &row.vague}) {
      each->resize(words_ + 2);
    }
    row.levels.resize(bytes);
  }
  for (auto* each : {&least_, &most_, &quiet_from_, &across_, &down_, &pixels_,
                     &bright_, &vague_, &likely_}) {
    each->resize(cells_ + 2 * kBeside);
  }
  for (auto* each : {&low_, &high_}) each->resize(bytes);
  room_.resize(2 * bytes);
  for (auto* each : {&light_, &next_, &not_dim_, &is_bright_, &mask_}) {
    each->resize(words_ + 2);
  }
}

void CodeCells::Measure(CellRows rows) {
  Row& row = RowAt(measured_++);
  kernels_.extremes(rows.data(), rows.size(), columns_, flip_, room_.data(),
                    row.least.data(), row.most.data());
}

void CodeCells::Fill(std::vector<std::byte>& levels, size_t cell,
                     int level) const {
  sample_bytes_ == 1 ? FillCell<uint8_t>(levels, cell, level)
                     : FillCell<uint16_t>(levels, cell, level);
}

void CodeCells::SetLevels(Row& row, size_t height) {
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
  std::ranges::fill(row.pixels, 0);
  row.has_contrast = false;
  for (size_t cell = 0; cell < cells_; ++cell) {
    const int range = most_[cell] - least_[cell];
    // The levels of other cells are not used.
    if (!IsContrast(range, highest_)) continue;
    row.has_contrast = true;
    BytesOf(row.contrast)[cell] = 0xff;
    BytesOf(row.pixels)[cell] =
        static_cast<uint8_t>(height * std::min(kCell, columns_ - kCell * cell));
    const int light_from = (least_[cell] + most_[cell]) / 2 + 1;
    row.light_from[cell] = static_cast<uint16_t>(light_from);
    Fill(row.levels, cell, light_from);
    Fill(low_, cell, least_[cell] + range / 4 + 1);
    Fill(high_, cell, most_[cell] - range / 4);
  }
}

void CodeCells::AddTurns(Row& row, CellRows rows) {
  const auto find = [&](const std::byte* from,
                        const std::vector<std::byte>& levels,
                        std::vector<uint64_t>& bits) {
    kernels_.compare(from, levels.data(), columns_, flip_, bits.data());
  };
  for (auto* each : {&row.across, &row.down, &row.bright, &row.vague}) {
    std::ranges::fill(*each, 0);
  }
  find(rows[0], row.levels, light_);
  for (size_t i = 0; i < rows.size(); ++i) {
    const bool has_next = i + 1 < rows.size();
    if (has_next) find(rows[i + 1], row.levels, next_);
    find(rows[i], low_, not_dim_);
    find(rows[i], high_, is_bright_);
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
      row.bright[1 + word] += BitsOfBytes(is_bright_[word] & counted);
      row.vague[1 + word] +=
          BitsOfBytes(not_dim_[word] & ~is_bright_[word] & counted);
    }
    std::swap(light_, next_);
  }
}

void CodeCells::Count(CellRows rows) {
  Row& row = RowAt(counted_);
  SetLevels(row, rows.size());
  if (row.has_contrast) AddTurns(row, rows);
  ++counted_;
}

void CodeCells::AddWindows(int64_t at, int64_t end, bool Row::*has,
                           CellBytes Row::*numbers,
                           std::vector<uint16_t>& sums) {
  std::ranges::fill(sums, uint16_t{0});
  end = std::min(at + kUp + 1, end);
  for (int64_t i = std::max<int64_t>(at - kUp, 0); i < end; ++i) {
    const Row& other = RowAt(i);
    if (!(other.*has)) continue;
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

void CodeCells::FindLikely(int64_t at) {
  Row& row = RowAt(at);
  row.has_likely = false;
  if (!row.has_contrast) return;
  const auto add = [&](CellBytes Row::*numbers, std::vector<uint16_t>& sums) {
    AddWindows(at, counted_, &Row::has_contrast, numbers, sums);
  };
  add(&Row::across, across_);
  add(&Row::down, down_);
  add(&Row::pixels, pixels_);
  add(&Row::bright, bright_);
  add(&Row::vague, vague_);
  for (size_t cell = 0; cell < cells_; ++cell) {
    const int turns = across_[cell] + down_[cell];
    const int vague = vague_[cell];
    const bool is_likely =
        (across_[cell] >= kTurnsAcross || down_[cell] >= kTurnsDown) &&
        8 * bright_[cell] >= pixels_[cell] && 2 * vague <= 9 * turns &&
        (5 * vague <= 2 * pixels_[cell] || vague <= 2 * turns) &&
        BytesOf(row.contrast)[cell] != 0;
    BytesOf(row.likely)[cell] = is_likely ? 1 : 0;
    row.has_likely |= is_likely;
  }
}

void CodeCells::FindSure(int64_t at) {
  Row& row = RowAt(at);
  row.has_sure = false;
  if (!row.has_likely) return;
  AddWindows(at, weighed_, &Row::has_likely, &Row::likely, likely_);
  for (size_t cell = 0; cell < cells_; ++cell) {
    const bool is_sure =
        BytesOf(row.likely)[cell] != 0 && likely_[cell] >= kLikely;
    BytesOf(row.sure)[cell] = is_sure ? 0xff : 0;
    if (!is_sure) row.light_from[cell] = 0;
    row.has_sure |= is_sure;
  }
}

// The quiet zone, into mask_.
void CodeCells::AddQuiet(Row& row, int64_t first, int64_t end) {
  std::ranges::fill(quiet_from_, uint16_t{0});
  for (int64_t i = first; i < end; ++i) {
    const Row& other = RowAt(i);
    if (!other.has_sure) continue;
    for (size_t cell = 0; cell < cells_; ++cell) {
      uint16_t& from = quiet_from_[kBeside + cell];
      from = std::max(from, other.light_from[cell]);
    }
  }
  JoinWindows(quiet_from_,
              [](uint16_t a, uint16_t b) { return std::max(a, b); });
  for (size_t cell = 0; cell < cells_; ++cell) {
    if (quiet_from_[cell] == 0 || row.least[cell] < quiet_from_[cell] ||
        BytesOf(row.contrast)[cell] != 0) {
      continue;
    }
    Fill(row.levels, cell, 0);
    BytesOf(mask_)[cell] = 0xff;
  }
}

bool CodeCells::Decide(int64_t at) {
  // Rows of cells without gray were not decided.
  weighed_ = std::max(weighed_, at - 2 * kUp);
  judged_ = std::max(judged_, at - kUp);
  for (; weighed_ <= std::min(at + 2 * kUp, counted_ - 1); ++weighed_) {
    FindLikely(weighed_);
  }
  for (; judged_ <= std::min(at + kUp, counted_ - 1); ++judged_) {
    FindSure(judged_);
  }
  Row& row = RowAt(at);
  std::ranges::fill(next_, 0);
  bool is_any = false;
  const int64_t first = std::max<int64_t>(at - kUp, 0);
  const int64_t end = std::min(at + kUp + 1, counted_);
  for (int64_t i = first; i < end; ++i) {
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
  AddQuiet(row, first, end);
  if (columns_ % 64 != 0) {
    mask_[words_] &= (uint64_t{1} << columns_ % 64) - 1;
  }
  return true;
}

}  // namespace halftoned
