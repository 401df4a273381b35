// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The second pass of `best` with print feedback for one target: a row of
// blocks, 32 columns at a time, in the order of swap-inl.h. A window is named
// by its last pixel.
//
//   windows  the bits of 24 rows of 64 columns
//   errors   of the light of these windows
//   terms    of each row: e[j − k] + e[j + k] for k = 0 … 7
//   sums     9 rows of 48 columns, of which the blocks' windows are 33

#if defined(HALFTONED_HALFTONE_CPU_SIMD_SWAP_SWAP_ON_PAPER_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef HALFTONED_HALFTONE_CPU_SIMD_SWAP_SWAP_ON_PAPER_INL_H_
#undef HALFTONED_HALFTONE_CPU_SIMD_SWAP_SWAP_ON_PAPER_INL_H_
#else
#define HALFTONED_HALFTONE_CPU_SIMD_SWAP_SWAP_ON_PAPER_INL_H_
#endif

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "halftone/cpu/simd/swap/block_bits-inl.h"
#include "halftone/cpu/simd/swap/pair_sum-inl.h"
#include "halftone/cpu/simd/swap/paper_search-inl.h"
#include "halftone/cpu/simd/swap/paper_tables.h"
#include "halftone/cpu/simd/vectors/lanes-inl.h"
#include "halftone/cpu/swap.h"

HALFTONED_BEFORE_NAMESPACE();
namespace halftoned::simd {
namespace HWY_NAMESPACE {

// 32 columns of a row of blocks.
template <int sweep>
class PaperGroup {
 public:
  explicit PaperGroup(const SwapRows& rows)
      : rows_(rows), lights_(*rows.paper) {}

  // first_column: of the grid's 32 columns, −8 or more.
  HWY_INLINE void Do(int32_t first_column) {
    first_column_ = first_column;
    if (!FindBlocks()) return;
    StageWindows();
    for (int i = 1; i < kRows; ++i) StageErrors(i);
    for (int i = 1; i < kRows; ++i) StageTerms(i);
    for (int i = 0; i < PaperField::kRows; ++i) AddTerms(i);
    for (const int block : {1, 3, 0, 2}) {
      if (IsMixed(block)) SwapIn(block);
    }
  }

 private:
  using D16 = hn::CappedTag<int16_t, 16>;
  using D32 = hn::RepartitionToWide<D16>;
  static constexpr int kRows = SwapRows::kRows;
  static constexpr int kBefore = 8;  // columns of windows before the first
  static constexpr int kColumns = 64;
  static constexpr int kSumColumns = 48;

  // False if nothing can be swapped.
  HWY_INLINE bool FindBlocks() {
    uint32_t gray[kBestBlock];
    uint32_t bits[kBestBlock];
    uint32_t any = 0;
    for (size_t i = 0; i < kBestBlock; ++i) {
      gray[i] =
          static_cast<uint32_t>(BitsFrom(rows_.gray[i], first_column_) >> 32);
      bits[i] = static_cast<uint32_t>(
          BitsFrom(rows_.bits[i + kBestReach], first_column_) >> 32);
      any |= gray[i];
    }
    if (any == 0) return false;
    BlocksOf(gray, grays_);
    BlocksOf(bits, bits_);
    return IsMixed(0) || IsMixed(1) || IsMixed(2) || IsMixed(3);
  }
  // Whether a block has gray pixels of both kinds.
  HWY_INLINE bool IsMixed(int block) const {
    return (grays_[block] & bits_[block]) != 0 &&
           (grays_[block] & ~bits_[block]) != 0;
  }

  // Bits, aims and tones of the pixels; then the kinds of windows.
  HWY_INLINE void StageWindows() {
    const int32_t first = first_column_ - kBefore;
    for (int i = 0; i < kRows; ++i) {
      const auto row = static_cast<size_t>(i);
      uint64_t word = BitsFrom(rows_.bits[row], first);
      const uint8_t* const tones = rows_.tones[row] + first;
      for (int j = 0; j < kColumns; ++j) {
        white_[i][j] = static_cast<uint8_t>(word >> 63);
        word <<= 1;
        tones_[i][j] = tones[j];
        aims_[i][j] = rows_.paper->aim[tones[j]];
      }
    }
  }

  HWY_INLINE void StageErrors(int i) {
    kinds_[i][0] = 0;
    errors_[i][0] = 0;
    for (int j = 1; j < kColumns; ++j) {
      const int own = tones_[i][j];
      const int left = tones_[i][j - 1];
      const int above = tones_[i - 1][j];
      const int across = tones_[i - 1][j - 1];
      const int most = std::max(std::max(own, left), std::max(above, across));
      const int least = std::min(std::min(own, left), std::min(above, across));
      const bool is_edge = most - least > kPaperEdge;
      const unsigned kind = static_cast<unsigned>(
          white_[i][j - 1] | white_[i - 1][j] << 1 | white_[i - 1][j - 1] << 2 |
          white_[i][j] << 3 | (is_edge ? kEdgeWindow : 0));
      const int aim = is_edge ? 4 * (own + left + above + across)
                              : aims_[i][j] + aims_[i][j - 1] +
                                    aims_[i - 1][j] + aims_[i - 1][j - 1];
      kinds_[i][j] = static_cast<uint8_t>(kind);
      errors_[i][j] =
          static_cast<int16_t>(lights_.Light(kind) - ((aim + 2) >> 2));
    }
  }

  HWY_INLINE void StageTerms(int i) {
    const D16 d;
    for (size_t v = 0; v < kSumColumns; v += hn::Lanes(d)) {
      const int16_t* const e = errors_[i] + kBefore + v;
      hn::Vec<D16> term[2 * kPaperPairs];
      term[0] = hn::LoadU(d, e);
      HALFTONED_UNROLL
      for (int k = 1; k <= kPaperReach; ++k) {
        term[k] = hn::Add(hn::LoadU(d, e - k), hn::LoadU(d, e + k));
      }
      HALFTONED_UNROLL
      for (int k = 0; k < kPaperPairs; ++k) {
        int16_t* const to = terms_[i][k] + 2 * v;
        hn::Store(hn::InterleaveLower(d, term[2 * k], term[2 * k + 1]), d, to);
        hn::Store(hn::InterleaveUpper(d, term[2 * k], term[2 * k + 1]), d,
                  to + hn::Lanes(d));
      }
    }
  }

  // The terms of rows `down` above and below.
  template <int down>
  HWY_INLINE void AddRows(int row, size_t at, PairSumOf<D16>* low,
                          PairSumOf<D16>* high) const {
    const D16 d;
    HALFTONED_UNROLL
    for (int k = 0; k < kPaperPairs; ++k) {
      const int16_t* const above = terms_[row - down][k] + at;
      auto first = hn::Load(d, above);
      auto last = hn::Load(d, above + hn::Lanes(d));
      if constexpr (down > 0) {
        const int16_t* const below = terms_[row + down][k] + at;
        first = hn::Add(first, hn::Load(d, below));
        last = hn::Add(last, hn::Load(d, below + hn::Lanes(d)));
      }
      low->Add(first, kPaperWeights<sweep>.of[down][k]);
      high->Add(last, kPaperWeights<sweep>.of[down][k]);
    }
  }

  // Lower and upper halves of each 8 columns come apart.
  HWY_INLINE void AddTerms(int i) {
    const D16 d;
    const D32 d32;
    constexpr size_t kMost = 8;
    HWY_ALIGN_MAX int32_t halves[2][kMost];
    for (size_t v = 0; v < kSumColumns; v += hn::Lanes(d)) {
      PairSumOf<D16> low;
      PairSumOf<D16> high;
      [&]<int... down>(std::integer_sequence<int, down...>) HALFTONED_ATTR {
        (AddRows<down>(i + kBestReach, 2 * v, &low, &high), ...);
      }
      (std::make_integer_sequence<int, kPaperReach + 1>());
      hn::Store(low.Total(), d32, halves[0]);
      hn::Store(high.Total(), d32, halves[1]);
      int32_t* const sums = field_.sums[i] + PaperField::kMargin + v;
      for (size_t j = 0; j < hn::Lanes(d); ++j) {
        sums[j] = halves[j / 4 % 2][j / 8 * 4 + j % 4];
      }
    }
    std::copy_n(kinds_[i + kBestReach], PaperField::kColumns,
                field_.windows[i]);
  }

  HWY_INLINE void SwapIn(int block) {
    const uint64_t changed =
        bits_[block] ^ PaperSearch<sweep>(field_, lights_, 8 * block,
                                          grays_[block], bits_[block])
                           .Run();
    for (uint64_t left = changed; left != 0; left &= left - 1) {
      const int pixel = std::countr_zero(left);
      const int32_t column = first_column_ + 8 * block + pixel % 8;
      rows_.bits[static_cast<size_t>(pixel / 8 + kBestReach)][column >> 3] ^=
          static_cast<std::byte>(0x80 >> (column & 7));
    }
  }

  const SwapRows& rows_;
  const WindowLights lights_;
  int32_t first_column_ = 0;
  uint64_t grays_[kGroupBlocks];
  uint64_t bits_[kGroupBlocks];
  HWY_ALIGN_MAX uint8_t white_[kRows][kColumns];
  HWY_ALIGN_MAX uint8_t tones_[kRows][kColumns];
  HWY_ALIGN_MAX int16_t aims_[kRows][kColumns];
  HWY_ALIGN_MAX uint8_t kinds_[kRows][kColumns];
  // Loads go beyond the last row's end, by what terms reach.
  HWY_ALIGN_MAX int16_t errors_[kRows + 1][kColumns];
  HWY_ALIGN_MAX int16_t terms_[kRows][kPaperPairs][2 * kSumColumns];
  PaperField field_;
};

template <int sweep>
void SwapOnPaper(const SwapRows& rows) {
  PaperGroup<sweep> group(rows);
  for (int32_t j = rows.shift - kBestBlock; j < rows.width;
       j += kGroupColumns) {
    group.Do(j);
  }
}

inline void SwapBlocksOnPaper(const SwapRows& rows) {
  rows.sweep == 0 ? SwapOnPaper<0>(rows) : SwapOnPaper<1>(rows);
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace halftoned::simd
HWY_AFTER_NAMESPACE();

#endif  // HALFTONED_HALFTONE_CPU_SIMD_SWAP_SWAP_ON_PAPER_INL_H_
