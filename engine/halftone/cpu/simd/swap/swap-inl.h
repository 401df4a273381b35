// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The second pass of `best` for one target: a row of blocks, 32 columns at a
// time. These are four blocks: odd, even, odd and even. The first one lies
// between the last block of the columns before and the second one. So with the
// sums for the columns' current bits, the even blocks can be processed, and
// then the odd ones. Only the bits have to be kept.
//
//   errors   24 rows of 48 columns, those and what the kernel reaches
//   terms    of each row: e[j − k] + e[j + k] for k = 0 … 8, two of them
//            interleaved in 128 bits: of a block's first four columns, then of
//            its last four
//   sums     8 rows; first the first four columns of all blocks, then the rest

#if defined(HALFTONED_HALFTONE_CPU_SIMD_SWAP_SWAP_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef HALFTONED_HALFTONE_CPU_SIMD_SWAP_SWAP_INL_H_
#undef HALFTONED_HALFTONE_CPU_SIMD_SWAP_SWAP_INL_H_
#else
#define HALFTONED_HALFTONE_CPU_SIMD_SWAP_SWAP_INL_H_
#endif

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include "halftone/cpu/simd/swap/block_bits-inl.h"
#include "halftone/cpu/simd/swap/pair_sum-inl.h"
#include "halftone/cpu/simd/swap/swap_on_paper-inl.h"
#include "halftone/cpu/simd/swap/swap_tables.h"
#include "halftone/cpu/simd/vectors/lanes-inl.h"
#include "halftone/cpu/simd/vectors/operations-inl.h"
#include "halftone/cpu/swap.h"

HALFTONED_BEFORE_NAMESPACE();
namespace halftoned::simd {
namespace HWY_NAMESPACE {

using S16 = hn::ScalableTag<int16_t>;
using S32 = hn::ScalableTag<int32_t>;
using Row32 = hn::CappedTag<int32_t, 8>;  // of a block, or half of one
using Half32 = hn::FixedTag<int32_t, 4>;

constexpr int kErrorColumns = 64;  // 48, rounded up
constexpr int kRowParts = 8 / HWY_MIN(8, HWY_LANES(int32_t));
constexpr int32_t kNever = 1 << 28;  // more than any change

using PairSum = PairSumOf<S16>;

// 32 columns of a row of blocks.
template <int sweep>
class SwapGroup {
 public:
  SwapGroup() {
    std::fill_n(&black_[0][0], sizeof(black_) / sizeof(int32_t), kNever);
    std::fill_n(&white_[0][0], sizeof(white_) / sizeof(int32_t), kNever);
  }

  // first_column: of the grid's 32 columns, −8 or more.
  HWY_INLINE void Do(const SwapRows& rows, int32_t first_column) {
    if (!FindGray(rows, first_column)) return;
    FindBits(rows, first_column);
    if (!IsMixed(0) && !IsMixed(1) && !IsMixed(2) && !IsMixed(3)) return;
    StageErrors(rows, first_column);
    StageTerms();
    AddTerms();
    for (const int block : {1, 3, 0, 2}) {
      if (IsMixed(block)) SwapIn(rows, first_column, block);
    }
  }

 private:
  static constexpr int kRows = SwapRows::kRows;
  static constexpr size_t kVectorsOfGroup = kGroupColumns / HWY_LANES(int16_t);
  static constexpr size_t kLanes16 = HWY_LANES(int16_t);

  HWY_INLINE bool FindGray(const SwapRows& rows, int32_t first_column) {
    uint32_t words[kBestBlock];
    uint32_t any = 0;
    for (size_t i = 0; i < kBestBlock; ++i) {
      words[i] =
          static_cast<uint32_t>(BitsFrom(rows.gray[i], first_column) >> 32);
      any |= words[i];
    }
    if (any == 0) return false;
    BlocksOf(words, grays_);
    return true;
  }
  HWY_INLINE void FindBits(const SwapRows& rows, int32_t first_column) {
    uint32_t words[kBestBlock];
    for (size_t i = 0; i < kBestBlock; ++i) {
      words[i] = static_cast<uint32_t>(
          BitsFrom(rows.bits[i + kBestReach], first_column) >> 32);
    }
    BlocksOf(words, bits_);
  }
  // Whether a block has gray pixels of both kinds.
  HWY_INLINE bool IsMixed(int block) const {
    return (grays_[block] & bits_[block]) != 0 &&
           (grays_[block] & ~bits_[block]) != 0;
  }

  HWY_INLINE void StageErrors(const SwapRows& rows, int32_t first_column) {
    const S16 d;
    const hn::ScalableTag<uint8_t> d8;
    const hn::Rebind<uint8_t, S16> half;
    const auto light = hn::Set(d, 255);
    const int32_t first = first_column - kBestReach;
    for (int i = 0; i < kRows; ++i) {
      const auto row = static_cast<size_t>(i);
      const auto word =
          hn::BitCast(d8, hn::Set(hn::ScalableTag<uint64_t>(),
                                  BitsFrom(rows.bits[row], first)));
      for (size_t j = 0; j < kErrorColumns; j += kLanes16) {
        const auto bytes =
            LookUpBytes(word, hn::Load(d8, kByteOfColumn.of + 2 * j));
        const auto is_white =
            hn::TestBit(hn::BitCast(d, bytes),
                        hn::BitCast(d, hn::Load(d8, kBitOfColumn.of + 2 * j)));
        const auto tones = hn::PromoteTo(
            d,
            hn::LoadU(half, rows.tones[row] + first + static_cast<int32_t>(j)));
        hn::Store(hn::Sub(hn::IfThenElseZero(is_white, light), tones), d,
                  errors_[i] + j);
      }
    }
  }

  HWY_INLINE void StageTerms() {
    const S16 d;
    for (int i = 0; i < kRows; ++i) {
      for (size_t v = 0; v < kVectorsOfGroup; ++v) {
        const int16_t* const e = errors_[i] + kBestReach + v * kLanes16;
        hn::Vec<S16> term[kTermPairs * 2];
        term[0] = hn::LoadU(d, e);
        HALFTONED_UNROLL
        for (int k = 1; k <= kBestReach; ++k) {
          term[k] = hn::Add(hn::LoadU(d, e - k), hn::LoadU(d, e + k));
        }
        term[kTermPairs * 2 - 1] = hn::Zero(d);
        HALFTONED_UNROLL
        for (int k = 0; k < kTermPairs; ++k) {
          int16_t* const to = terms_[i][k] + v * 2 * kLanes16;
          hn::Store(hn::InterleaveLower(d, term[2 * k], term[2 * k + 1]), d,
                    to);
          hn::Store(hn::InterleaveUpper(d, term[2 * k], term[2 * k + 1]), d,
                    to + kLanes16);
        }
      }
    }
  }

  // The terms of rows `down` above and below, for one output row.
  template <int down>
  HWY_INLINE void AddRows(int row, size_t at, PairSum* low,
                          PairSum* high) const {
    const S16 d;
    constexpr int kCount = PairsOf<sweep>(down);
    HALFTONED_UNROLL
    for (int k = 0; k < kCount; ++k) {
      const int16_t* const above = terms_[row - down][k] + at;
      auto first = hn::Load(d, above);
      auto last = hn::Load(d, above + kLanes16);
      if constexpr (down > 0) {
        const int16_t* const below = terms_[row + down][k] + at;
        first = hn::Add(first, hn::Load(d, below));
        last = hn::Add(last, hn::Load(d, below + kLanes16));
      }
      low[k % 2].Add(first, kPairWeights<sweep>.of[down][k]);
      high[k % 2].Add(last, kPairWeights<sweep>.of[down][k]);
    }
  }

  HWY_INLINE void AddTerms() {
    const S32 d;
    for (int i = 0; i < kBestBlock; ++i) {
      for (size_t v = 0; v < kVectorsOfGroup; ++v) {
        PairSum low[2];
        PairSum high[2];
        [&]<int... down>(std::integer_sequence<int, down...>) HALFTONED_ATTR {
          (AddRows<down>(i + kBestReach, v * 2 * kLanes16, low, high), ...);
        }
        (std::make_integer_sequence<int, kBestReach + 1>());
        hn::Store(hn::Add(low[0].Total(), low[1].Total()), d,
                  sums_[i][0] + v * HWY_LANES(int32_t));
        hn::Store(hn::Add(high[0].Total(), high[1].Total()), d,
                  sums_[i][1] + v * HWY_LANES(int32_t));
      }
    }
  }

  // Some columns of a block's row of sums: all, or half of them.
  HWY_INLINE hn::Vec<Row32> SumsOf(int row, int block, int part) const {
    const Half32 half;
    const int32_t* const first = sums_[row][0] + 4 * block;
    const int32_t* const last = sums_[row][1] + 4 * block;
#if HWY_MAX_BYTES > 16
    (void)part;
    return hn::Combine(Row32(), hn::Load(half, last), hn::Load(half, first));
#else
    return hn::Load(half, part == 0 ? first : last);
#endif
  }

  // The cost of changing one gray pixel alone: of black pixels in black_, of
  // white pixels in white_; kNever for all others.
  HWY_INLINE void StageChanges(int block) {
    const Row32 d;
    const auto never = hn::Set(d, kNever);
    for (int i = 0; i < kBestBlock; ++i) {
      const auto bits =
          hn::Set(d, static_cast<int32_t>(bits_[block] >> (8 * i) & 0xff));
      const auto gray =
          hn::Set(d, static_cast<int32_t>(grays_[block] >> (8 * i) & 0xff));
      for (int part = 0; part < kRowParts; ++part) {
        const auto sums = SumsOf(i, block, part);
        const auto bit = hn::Load(d, kColumnBits.of + 4 * part);
        const auto is_gray = hn::TestBit(gray, bit);
        const auto is_white = hn::TestBit(bits, bit);
        hn::Store(hn::IfThenElse(hn::AndNot(is_white, is_gray), sums, never), d,
                  black_[i + 1] + kMargin + 4 * part);
        hn::Store(
            hn::IfThenElse(hn::And(is_white, is_gray), hn::Neg(sums), never), d,
            white_[i + 1] + kMargin + 4 * part);
      }
    }
  }

  using Changes = int32_t[kBestBlock + 2][24];
  static constexpr int kMargin = 8;

  // The least change that a neighbor of each pixel of a row adds.
  static HWY_INLINE hn::Vec<Row32> LeastAround(const Changes& changes, int row,
                                               int column) {
    const Row32 d;
    const auto beside = [&](int i) HALFTONED_ATTR {
      return hn::Min(hn::LoadU(d, changes[i] + column - 1),
                     hn::LoadU(d, changes[i] + column + 1));
    };
    const auto straight =
        hn::Min(beside(row), hn::Min(hn::Load(d, changes[row - 1] + column),
                                     hn::Load(d, changes[row + 1] + column)));
    const auto across = hn::Min(beside(row - 1), beside(row + 1));
    return hn::Min(hn::Add(straight, hn::Set(d, kStraightCost<sweep>)),
                   hn::Add(across, hn::Set(d, kAcrossCost<sweep>)));
  }

  // The pixels for which a swap makes the sum of squares less.
  HWY_INLINE uint64_t FindGains() const {
    const Row32 d;
    uint64_t gains = 0;
    for (int i = 0; i < kBestBlock; ++i) {
      for (int part = 0; part < kRowParts; ++part) {
        const int column = kMargin + 4 * part;
        const auto change =
            hn::Min(hn::Add(hn::Load(d, white_[i + 1] + column),
                            LeastAround(black_, i + 1, column)),
                    hn::Add(hn::Load(d, black_[i + 1] + column),
                            LeastAround(white_, i + 1, column)));
        uint8_t mask[8];
        StoreBits(d, hn::Lt(change, hn::Zero(d)), mask);
        gains |= uint64_t{mask[0]} << (8 * i + 4 * part);
      }
    }
    return gains;
  }

  HWY_INLINE void SwapIn(const SwapRows& rows, int32_t first_column,
                         int block) {
    uint64_t left = ~uint64_t{0};  // pixels that have not been visited
    int scan = 1;
    for (;;) {
      StageChanges(block);
      uint64_t gains = FindGains();
      if ((gains & left) == 0 && left != ~uint64_t{0} && scan < kBestScans) {
        ++scan;
        left = ~uint64_t{0};
      }
      gains &= left;
      if (gains == 0) return;
      const int pixel = std::countr_zero(gains);
      Swap(rows, first_column, block, pixel);
      left = pixel == 63 ? 0 : ~uint64_t{0} << (pixel + 1);
    }
  }

  // Swaps a pixel with the best of its neighbors.
  HWY_NOINLINE void Swap(const SwapRows& rows, int32_t first_column, int block,
                         int pixel) {
    const int i = pixel / 8;
    const int j = pixel % 8;
    const bool was_white = (bits_[block] >> pixel & 1) != 0;
    const Changes& others = was_white ? black_ : white_;
    int least = kNever;
    int to = 0;
    for (const SwapStep& step : kSwapSteps<sweep>) {
      const int change =
          others[i + 1 + step.down][kMargin + j + step.right] + step.cost;
      if (change >= least) continue;
      least = change;
      to = pixel + 8 * step.down + step.right;
    }
    bits_[block] ^= uint64_t{1} << pixel | uint64_t{1} << to;
    for (const int at : {pixel, to}) {
      const int32_t column = first_column + 8 * block + at % 8;
      rows.bits[static_cast<size_t>(at / 8 + kBestReach)][column >> 3] ^=
          static_cast<std::byte>(0x80 >> (column & 7));
    }
    // The bits of an odd block no longer affect other blocks.
    const bool is_even = block % 2 == 1;
    const int first = is_even ? block - 1 : block;
    const int last = is_even ? std::min(block + 1, kGroupBlocks - 1) : block;
    const int gains = was_white ? to : pixel;
    const int loses = was_white ? pixel : to;
    for (int other = first; other <= last; ++other) {
      Move(other, 8 * (other - block), gains, loses);
    }
  }

  // Adds the effect of a moved dot to a block's sums. columns: from the dot's
  // block to this one.
  HWY_INLINE void Move(int block, int columns, int gains, int loses) {
    const Half32 d;
    for (int i = 0; i < kBestBlock; ++i) {
      const int32_t* const more =
          kSwapKernel<sweep>.At(i - gains / 8, columns - gains % 8);
      const int32_t* const less =
          kSwapKernel<sweep>.At(i - loses / 8, columns - loses % 8);
      for (int half = 0; half < 2; ++half) {
        int32_t* const sums = sums_[i][half] + 4 * block;
        const auto change = hn::Sub(hn::LoadU(d, more + 4 * half),
                                    hn::LoadU(d, less + 4 * half));
        hn::Store(hn::Add(hn::Load(d, sums), change), d, sums);
      }
    }
  }

  HWY_ALIGN_MAX int16_t errors_[kRows][kErrorColumns];
  HWY_ALIGN_MAX int16_t terms_[kRows][kTermPairs][2 * kGroupColumns];
  HWY_ALIGN_MAX int32_t sums_[kBestBlock][2][kGroupColumns / 2];
  HWY_ALIGN_MAX Changes black_;
  HWY_ALIGN_MAX Changes white_;
  uint64_t grays_[kGroupBlocks];
  uint64_t bits_[kGroupBlocks];
};

template <int sweep>
void SwapBlocksOf(const SwapRows& rows) {
  SwapGroup<sweep> group;
  for (int32_t j = rows.shift - kBestBlock; j < rows.width;
       j += kGroupColumns) {
    group.Do(rows, j);
  }
}

void SwapBlocks(const SwapRows& rows) {
  if (rows.paper) return SwapBlocksOnPaper(rows);
  rows.sweep == 0 ? SwapBlocksOf<0>(rows) : SwapBlocksOf<1>(rows);
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace halftoned::simd
HWY_AFTER_NAMESPACE();

#endif  // HALFTONED_HALFTONE_CPU_SIMD_SWAP_SWAP_INL_H_
