// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of CodeCells that decides which cells belong to a code.

#include <algorithm>

#include "halftone/look/codes/cell_windows.h"
#include "halftone/look/codes/code_cells.h"
#include "halftone/look/edges/row_bits.h"

namespace halftoned {
namespace {

// How far windows reach, in bits of cells.
constexpr size_t kReach = simd::kCellSide * kBeside;
constexpr int kTurnsAcross = 52;
constexpr int kTurnsDown = 94;
constexpr int kLikely = 21;  // cells of a window
constexpr int kClear = 26;   // cells of a window

}  // namespace

template <typename Numbers, typename Sum>
void CodeCells::AddWindows(int64_t at, int64_t end, bool Row::*has,
                           Numbers Row::*numbers, std::vector<Sum>& sums) {
  std::ranges::fill(sums, Sum{0});
  end = std::min(at + kUp + 1, end);
  for (int64_t i = std::max<int64_t>(at - kUp, 0); i < end; ++i) {
    const Row& other = RowAt(i);
    if (!(other.*has)) continue;
    const auto* const each = NumbersOf(other.*numbers);
    for (size_t cell = 0; cell < cells_; ++cell) {
      sums[kBeside + cell] =
          static_cast<Sum>(sums[kBeside + cell] + each[cell]);
    }
  }
  JoinWindows(sums, [](Sum a, Sum b) { return static_cast<Sum>(a + b); });
}

// Joins the cells of some rows, into joined_. False if there are none.
bool CodeCells::JoinBytes(int64_t first, int64_t end, bool Row::*has,
                          CellBytes Row::*cells) {
  std::ranges::fill(joined_, 0);
  bool is_any = false;
  for (int64_t i = std::max<int64_t>(first, 0); i < end; ++i) {
    const Row& other = RowAt(i);
    if (!(other.*has)) continue;
    is_any = true;
    for (size_t word = 1; word <= words_; ++word) {
      joined_[word] |= (other.*cells)[word];
    }
  }
  return is_any;
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
        5 * bright_[cell] >= pixels_[cell] && vague <= 3 * turns &&
        (4 * vague <= pixels_[cell] || 4 * vague <= 5 * turns) &&
        BytesOf(row.contrast)[cell] != 0;
    BytesOf(row.likely)[cell] = is_likely ? 1 : 0;
    row.has_likely |= is_likely;
  }
}

// Continues with the row whose likely cells have just been found.
void CodeCells::FindClear(int64_t at) {
  Row& row = RowAt(at);
  row.has_clear = false;
  if (!row.has_likely) return;
  AddWindows(at, counted_, &Row::has_contrast, &Row::turning, turning_);
  AddWindows(at, counted_, &Row::has_contrast, &Row::torn, torn_);
  for (size_t cell = 0; cell < cells_; ++cell) {
    const bool is_clear = 5 * torn_[cell] >= 3 * turning_[cell] &&
                          vague_[cell] <= 2 * (across_[cell] + down_[cell]) &&
                          8 * bright_[cell] <= 7 * pixels_[cell] &&
                          BytesOf(row.likely)[cell] != 0;
    BytesOf(row.clear)[cell] = is_clear ? 1 : 0;
    row.has_clear |= is_clear;
  }
}

void CodeCells::FindCores(int64_t at) {
  Row& row = RowAt(at);
  row.has_core = false;
  if (!row.has_clear) return;
  AddWindows(at, weighed_, &Row::has_clear, &Row::clear, likely_);
  for (size_t cell = 0; cell < cells_; ++cell) {
    const bool is_core =
        BytesOf(row.clear)[cell] != 0 && likely_[cell] >= kClear;
    BytesOf(row.core)[cell] = is_core ? 0xff : 0;
    row.has_core |= is_core;
  }
}

void CodeCells::FindSure(int64_t at) {
  Row& row = RowAt(at);
  row.has_sure = false;
  if (!row.has_likely || !JoinBytes(at - kUp, std::min(at + kUp + 1, cored_),
                                    &Row::has_core, &Row::core)) {
    return;
  }
  AddWindows(at, weighed_, &Row::has_likely, &Row::likely, likely_);
  for (size_t cell = 0; cell < cells_; ++cell) {
    const bool is_sure =
        BytesOf(row.likely)[cell] != 0 && likely_[cell] >= kLikely;
    BytesOf(row.sure)[cell] = is_sure ? 0xff : 0;
  }
  for (size_t word = 1; word <= words_; ++word) {
    row.sure[word] &= Widened(&joined_[word], kReach, simd::kCellSide);
    row.has_sure |= row.sure[word] != 0;
  }
}

bool CodeCells::HasSureWithin(int64_t at, int64_t reach) {
  const int64_t end = std::min(at + reach + 1, judged_);
  for (int64_t i = std::max<int64_t>(at - reach, 0); i < end; ++i) {
    if (RowAt(i).has_sure) return true;
  }
  return false;
}

// The cells that are enclosed, into enclosed_.
void CodeCells::FindEnclosed(int64_t at) {
  std::ranges::fill(enclosed_, 0);
  if (!JoinBytes(at - kEnclosed, at, &Row::has_sure, &Row::sure)) return;
  for (size_t word = 1; word <= words_; ++word) {
    enclosed_[word] = Widened(&joined_[word], kReach, simd::kCellSide);
  }
  JoinBytes(at + 1, std::min(at + kEnclosed + 1, judged_), &Row::has_sure,
            &Row::sure);
  for (size_t word = 1; word <= words_; ++word) {
    enclosed_[word] &= Widened(&joined_[word], kReach, simd::kCellSide);
  }
}

// The cells of a code, into mask_.
bool CodeCells::FindCode(int64_t at) {
  std::ranges::fill(mask_, 0);
  JoinBytes(at - kUp, std::min(at + kUp + 1, judged_), &Row::has_sure,
            &Row::sure);
  uint64_t any = 0;
  for (size_t word = 1; word <= words_; ++word) {
    mask_[word] =
        RowAt(at).contrast[word] &
        (Widened(&joined_[word], kReach, simd::kCellSide) | enclosed_[word]);
    any |= mask_[word];
  }
  return any != 0;
}

// Sets what is light in the cells of a code.
void CodeCells::SetThresholds(int64_t at) {
  const auto add = [&](auto Row::*numbers, auto& sums) {
    AddWindows(at, counted_, &Row::has_contrast, numbers, sums);
  };
  add(&Row::pixels, pixels_);
  add(&Row::bright, bright_);
  add(&Row::vague, vague_);
  add(&Row::dim_sum, dim_sum_);
  add(&Row::bright_sum, bright_sum_);
  const Row& row = RowAt(at);
  for (size_t cell = 0; cell < cells_; ++cell) {
    if (BytesOf(mask_)[cell] == 0) continue;
    const uint32_t bright = bright_[cell];
    const uint32_t dim = pixels_[cell] - bright - vague_[cell];
    if (dim == 0 || bright == 0) {
      Fill(light_from_, cell, row.threshold[cell] + 1);
      continue;
    }
    const uint32_t middle =
        (dim_sum_[cell] / dim + bright_sum_[cell] / bright) / 2;
    Fill(light_from_, cell,
         static_cast<int>((middle + 1) << (8 * sample_bytes_ - 8)));
  }
}

// The middles of the sure cells at most `reach` rows away, into above_ and
// below_. Without any, above_ is 0.
void CodeCells::JoinMiddles(int64_t at, int64_t reach) {
  std::ranges::fill(above_, uint16_t{0});
  std::ranges::fill(below_, static_cast<uint16_t>(highest_));
  const int64_t end = std::min(at + reach + 1, judged_);
  for (int64_t i = std::max<int64_t>(at - reach, 0); i < end; ++i) {
    const Row& other = RowAt(i);
    if (!other.has_sure) continue;
    for (size_t cell = 0; cell < cells_; ++cell) {
      if (BytesOf(other.sure)[cell] == 0) continue;
      const auto from = static_cast<uint16_t>(other.threshold[cell] + 1);
      uint16_t& above = above_[kBeside + cell];
      above = std::max(above, from);
      uint16_t& below = below_[kBeside + cell];
      below = std::min(below, from);
    }
  }
  JoinMost(above_);
  JoinLeast(below_);
}

// The quiet zone, into mask_.
void CodeCells::AddQuiet(int64_t at) {
  JoinMiddles(at, kQuietUp);
  const Row& row = RowAt(at);
  for (size_t cell = 0; cell < cells_; ++cell) {
    if (above_[cell] == 0 || row.least[cell] < above_[cell] ||
        BytesOf(row.contrast)[cell] != 0) {
      continue;
    }
    Fill(light_from_, cell, 0);
    BytesOf(mask_)[cell] = 0xff;
  }
}

// Enclosed cells without contrast, into mask_.
void CodeCells::AddEnclosed(int64_t at) {
  const Row& row = RowAt(at);
  const auto is_flat = [&](size_t cell) {
    return BytesOf(enclosed_)[cell] != 0 && BytesOf(row.contrast)[cell] == 0;
  };
  JoinMiddles(at, kEnclosed);
  for (size_t cell = 0; cell < cells_; ++cell) {
    if (!is_flat(cell)) continue;
    const bool is_light = row.least[cell] >= above_[cell];
    if (!is_light && row.most[cell] >= below_[cell]) continue;
    Fill(light_from_, cell, is_light ? 0 : below_[cell]);
    BytesOf(mask_)[cell] = 0xff;
  }
}

bool CodeCells::Decide(int64_t at) {
  // Rows of cells without gray were not decided.
  judged_ = std::max(judged_, at - kEnclosed);
  cored_ = std::max(cored_, at - kEnclosed - kUp);
  weighed_ = std::max(weighed_, at - kEnclosed - 2 * kUp);
  for (; weighed_ < std::min(at + kEnclosed + 2 * kUp + 1, counted_);
       ++weighed_) {
    FindLikely(weighed_);
    FindClear(weighed_);
  }
  for (; cored_ < std::min(at + kEnclosed + kUp + 1, counted_); ++cored_) {
    FindCores(cored_);
  }
  for (; judged_ < std::min(at + kEnclosed + 1, counted_); ++judged_) {
    FindSure(judged_);
  }
  if (!HasSureWithin(at, kEnclosed)) return false;
  FindEnclosed(at);
  if (FindCode(at)) SetThresholds(at);
  if (HasSureWithin(at, kQuietUp)) AddQuiet(at);
  const auto has = [](uint64_t word) { return word != 0; };
  if (std::ranges::any_of(enclosed_, has)) AddEnclosed(at);
  if (columns_ % 64 != 0) {
    mask_[words_] &= (uint64_t{1} << columns_ % 64) - 1;
  }
  return std::ranges::any_of(mask_, has);
}

}  // namespace halftoned
