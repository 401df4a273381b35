// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/codes/code_cells.h"

#include <algorithm>
#include <cstring>

#include "halftone/look/codes/cell_windows.h"

namespace halftoned {
namespace {

constexpr size_t kCell = simd::kCellSide;

bool IsContrast(int range, int highest) { return 16 * range >= 5 * highest; }

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
    for (auto* each : {&row.least, &row.most, &row.threshold, &row.dim_sum,
                       &row.bright_sum}) {
      each->resize(cells_);
    }
    for (auto* each : {&row.contrast, &row.sure, &row.core, &row.turning,
                       &row.torn, &row.likely, &row.clear, &row.across,
                       &row.down, &row.pixels, &row.bright, &row.vague}) {
      each->resize(words_ + 2);
    }
  }
  for (auto* each :
       {&least_, &most_, &above_, &below_, &across_, &down_, &pixels_, &bright_,
        &vague_, &turning_, &torn_, &likely_}) {
    each->resize(cells_ + 2 * kBeside);
  }
  for (auto* each : {&dim_sum_, &bright_sum_})
    each->resize(cells_ + 2 * kBeside);
  for (auto* each : {&light_from_, &dim_from_, &bright_from_}) {
    each->resize(bytes);
  }
  for (auto* each : {&joined_, &enclosed_, &mask_}) each->resize(words_ + 2);
}

void CodeCells::Measure(std::span<const uint16_t> least,
                        std::span<const uint16_t> most) {
  Row& row = RowAt(measured_++);
  std::ranges::copy(least, row.least.begin());
  std::ranges::copy(most, row.most.begin());
}

void CodeCells::Fill(std::vector<std::byte>& levels, size_t cell,
                     int level) const {
  // A word is eight samples of 8 bits, or four of 16.
  const auto sample = static_cast<uint64_t>(level);
  const uint64_t word = sample_bytes_ == 1 ? sample * 0x0101010101010101
                                           : sample * 0x0001000100010001;
  std::byte* const into = levels.data() + kCell * sample_bytes_ * cell;
  for (size_t i = 0; i < sample_bytes_; ++i) {
    std::memcpy(into + 8 * i, &word, sizeof(word));
  }
}

// Finds the least and the most light of the windows of a row, into least_ and
// most_.
void CodeCells::JoinExtremes(int64_t at) {
  std::ranges::fill(least_, static_cast<uint16_t>(highest_));
  std::ranges::fill(most_, uint16_t{0});
  const int64_t end = std::min(at + kUp + 1, measured_);
  for (int64_t i = std::max<int64_t>(at - kUp, 0); i < end; ++i) {
    const Row& other = RowAt(i);
    for (size_t cell = 0; cell < cells_; ++cell) {
      uint16_t& least = least_[kBeside + cell];
      least = std::min(least, other.least[cell]);
    }
    for (size_t cell = 0; cell < cells_; ++cell) {
      uint16_t& most = most_[kBeside + cell];
      most = std::max(most, other.most[cell]);
    }
  }
  JoinLeast(least_);
  JoinMost(most_);
}

void CodeCells::SetLevels(Row& row, size_t height) {
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
    const int threshold = (least_[cell] + most_[cell]) / 2;
    row.threshold[cell] = static_cast<uint16_t>(threshold);
    const int dim_to = least_[cell] + range / 4;
    const int bright_from = most_[cell] - 3 * range / 8;
    Fill(light_from_, cell, threshold + 1);
    Fill(dim_from_, cell, dim_to + 1);
    Fill(bright_from_, cell, bright_from);
    BytesOf(row.torn)[cell] =
        row.least[cell] <= dim_to && row.most[cell] >= bright_from ? 1 : 0;
  }
}

void CodeCells::AddCounts(Row& row, CellRows rows) {
  const simd::CellCounts counts{BytesOf(row.across), BytesOf(row.down),
                                BytesOf(row.bright), BytesOf(row.vague),
                                row.dim_sum.data(),  row.bright_sum.data()};
  kernels_.count(rows.data(), rows.size(),
                 {light_from_.data(), dim_from_.data(), bright_from_.data()},
                 row.contrast.data() + 1, columns_, flip_, counts);
  for (size_t word = 1; word <= words_; ++word) {
    for (auto* each : {&row.across, &row.down, &row.bright, &row.vague}) {
      (*each)[word] &= row.contrast[word];
    }
  }
  for (size_t cell = 0; cell < cells_; ++cell) {
    if (BytesOf(row.contrast)[cell] != 0) continue;
    row.dim_sum[cell] = row.bright_sum[cell] = 0;
  }
  for (size_t cell = 0; cell < cells_; ++cell) {
    const int turns = BytesOf(row.across)[cell] + BytesOf(row.down)[cell];
    BytesOf(row.turning)[cell] = turns != 0 ? 1 : 0;
  }
  for (size_t word = 1; word <= words_; ++word) {
    row.torn[word] &= row.turning[word];
  }
}

void CodeCells::Count(CellRows rows) {
  Row& row = RowAt(counted_);
  JoinExtremes(counted_);
  SetLevels(row, rows.size());
  if (row.has_contrast) AddCounts(row, rows);
  ++counted_;
}

}  // namespace halftoned
