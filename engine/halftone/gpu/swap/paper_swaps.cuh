// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The swaps in a block with print feedback, by a warp: a lane has two pixels,
// four rows apart, and the pairs whose corner they are (paper_windows.h). As in
// block_swaps.cuh, all pairs are judged together. The first pixel with a pair
// that gains, after the last that swapped, swaps, and all pairs are judged
// again.

#pragma once

#include <cstdint>

#include "halftone/gpu/swap/paper_tile.cuh"

namespace halftoned::cuda::swap {

template <int sweep>
class PaperSwaps {
 public:
  // first_column: of the stretch, in the tile; column: of the block, from
  // there. reaches_out: sums of the blocks beside it are asked for, too.
  __device__ PaperSwaps(PaperTile& tile, const PaperTables& tables,
                        int first_column, int column, bool reaches_out)
      : tile_(tile),
        tables_(tables),
        lane_(static_cast<int>(threadIdx.x % kLanes)),
        tile_column_(first_column + column),
        sum_column_(kSumMargin + column),
        reaches_out_(reaches_out),
        notes_(tile.field.notes[threadIdx.x / kLanes]) {
    gray_ = Ask(
        [&](int row, int at) { return OwnRows::IsSet(tile_.gray[row], at); });
    bits_ = Ask(
        [&](int row, int at) { return OwnRows::IsSet(tile_.bits[row], at); });
  }

  // Does all swaps, and writes them to the tile.
  __device__ void Run() {
    if ((gray_ & bits_) == 0 || (gray_ & ~bits_) == 0) return;
    const uint64_t before = bits_;
    uint64_t left = ~uint64_t{0};
    int scans_left = kBestScans - 1;
    for (;;) {
      const uint64_t all = Judge();
      uint64_t now = all & left;
      if (now == 0) {
        if (scans_left-- == 0 || all == 0) break;
        now = all;
      }
      const int pixel = __ffsll(static_cast<long long>(now)) - 1;
      Swap(BestOf(pixel));
      left = ~uint64_t{1} << pixel;
    }
    const auto turned =
        static_cast<uint32_t>((before ^ bits_) >> lane_ % kBestBlock * 8) &
        0xFF;
    if (lane_ < kBestBlock && turned != 0) {
      tile_.Turn(lane_, tile_column_, turned);
    }
  }

 private:
  static constexpr uint32_t kAllLanes = 0xFFFFFFFF;
  static constexpr int kSlots = 2 * kPairKinds;  // pairs of a lane
  static constexpr int kHalfRows = kLanes / kBestBlock;

  struct Pair {
    int change;
    int kind;
    int corner;
  };

  // The pixels for which something holds, by their number in the block.
  template <typename Holds>
  __device__ uint64_t Ask(Holds holds) const {
    const auto half = [&](int i) {
      return __ballot_sync(
          kAllLanes, holds(row() + i * kHalfRows, tile_column_ + column()));
    };
    const uint32_t upper = half(0);
    return upper | uint64_t{half(1)} << kLanes;
  }
  __device__ int row() const { return lane_ / kBestBlock; }
  __device__ int column() const { return lane_ % kBestBlock; }

  __device__ uint8_t& Window(int row, int column) const {
    return tile_.windows[row][tile_column_ + column];
  }
  __device__ int Seen(int row, int column) const {
    return tile_.field.sums[row][sum_column_ + column] >> kPaperShift;
  }

  // Computes all changes again. Returns the pixels that would swap.
  __device__ uint64_t Judge() {
    // What a swap counts before its square: that of each pixel, and of the
    // windows that have both pixels of a pair.
    int alone[2];
    int both[2][kPairKinds];
    Weigh(0, alone[0], both[0]);
    Weigh(1, alone[1], both[1]);
    // Those of the pixels on the right, below, and across.
    int right[2], below[2], across[2];
    const auto next = [&](int away, int(&to)[2]) {
      const int from = (lane_ + away) % kLanes;
      to[0] = __shfl_sync(kAllLanes, lane_ < away ? alone[1] : alone[0], from);
      to[1] = __shfl_sync(kAllLanes, alone[1], from);
    };
    next(1, right);
    next(kBestBlock, below);
    next(kBestBlock + 1, across);
    AddPairs<kPairRight>(alone, right, both);
    AddPairs<kPairBelow>(alone, below, both);
    AddPairs<kPairAcross>(alone, across, both);
    AddPairs<kPairAcrossLeft>(right, below, both);
    FindSquares();
    return JudgeKind<kPairRight>() | JudgeKind<kPairBelow>() |
           JudgeKind<kPairAcross>() | JudgeKind<kPairAcrossLeft>();
  }

  __device__ void Weigh(int i, int& alone, int (&both)[kPairKinds]) const {
    const int y = row() + i * kHalfRows;
    const int x = column();
    int sum = 0;
#pragma unroll
    for (int kind = 0; kind < kPairKinds; ++kind) both[kind] = 0;
#pragma unroll
    for (int place = 0; place < 4; ++place) {
      const int down = place / 2;
      const int right = place % 2;
      const uint32_t window = Window(y + down, x + right);
      const int seen = Seen(y + down, x + right);
      sum += tables_.gain[BitOf(down, right)][window] * seen;
#pragma unroll
      for (int kind = 0; kind < kPairKinds; ++kind) {
        const uint32_t bits = BitsOfPair(kind, 3 * down + right);
        if ((bits & (bits - 1)) == 0) continue;
        both[kind] += tables_.together[bits][window] * seen;
      }
    }
    alone = sum;
  }

  // The pairs of a kind that can be swapped, by their corners.
  template <int kind>
  __device__ uint64_t PairsOf() const {
    constexpr PairShape kShape = ShapeOf(kind);
    constexpr int kFirst = kShape.first_column;
    constexpr int kLast = kBestBlock * kShape.last_row + kShape.last_column;
    constexpr uint64_t kColumns = kFirst + kShape.last_column > 0
                                      ? 0x7F7F7F7F7F7F7F7F
                                      : 0xFFFFFFFFFFFFFFFF;
    return gray_ >> kFirst & gray_ >> kLast &
           (bits_ >> kFirst ^ bits_ >> kLast) & kColumns;
  }

  // Their changes before the square; 0 if there is no gain, because the square
  // is never below 0.
  template <int kind>
  __device__ void AddPairs(const int (&first)[2], const int (&last)[2],
                           const int (&both)[2][kPairKinds]) {
    const uint64_t pairs = PairsOf<kind>();
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const bool is_pair = (pairs >> (lane_ + i * kLanes) & 1) != 0;
      changes_[2 * kind + i] =
          is_pair ? min(2 * (first[i] + last[i] + both[i][kind]), 0) : 0;
    }
  }

  // Computes the squares that are needed and not known. Lanes share the work:
  // when each lane did only its own pairs, an A4 page of noise took 6.7 ms
  // instead of 6.3 on an H200.
  __device__ void FindSquares() {
    int count = 0;
#pragma unroll
    for (int slot = 0; slot < kSlots; ++slot) {
      const bool is_missing = changes_[slot] < 0 && (known_ >> slot & 1) == 0;
      const uint32_t lanes = __ballot_sync(kAllLanes, is_missing);
      if (is_missing) {
        known_ |= 1u << slot;
        notes_.asked[count + __popc(lanes & ((1u << lane_) - 1))] =
            static_cast<uint8_t>(slot * kLanes + lane_);
      }
      count += __popc(lanes);
    }
    __syncwarp();
    for (int i = lane_; i < count; i += kLanes) {
      const int pair = notes_.asked[i];
      notes_.squares[pair] = SquareOf(pair);
    }
    __syncwarp();
  }

  // The pixels that would swap.
  template <int kind>
  __device__ uint64_t JudgeKind() {
    uint64_t gaining = 0;
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      constexpr int kSlot = 2 * kind;
      int& change = changes_[kSlot + i];
      if (change < 0) {
        change = min(change + notes_.squares[(kSlot + i) * kLanes + lane_], 0);
      }
      gaining |= uint64_t{__ballot_sync(kAllLanes, change < 0)} << i * kLanes;
    }
    constexpr PairShape kShape = ShapeOf(kind);
    return gaining << kShape.first_column |
           gaining << (kBestBlock * kShape.last_row + kShape.last_column);
  }

  // The kernel between windows this many rows and columns apart.
  static __device__ int KernelOf(int rows, int columns) {
    const int i = rows < 0 ? -rows : rows;
    const int j = columns < 0 ? -columns : columns;
    if (i == 0 || j == 0) return i + j == 0 ? kSame : i + j == 1 ? kOne : kTwo;
    return i + j == 2 ? kOneOne : i + j == 3 ? kOneTwo : kTwoTwo;
  }
  static constexpr int kSame = PaperKernelOf(sweep, 0, 0);
  static constexpr int kOne = PaperKernelOf(sweep, 0, 1);
  static constexpr int kTwo = PaperKernelOf(sweep, 0, 2);
  static constexpr int kOneOne = PaperKernelOf(sweep, 1, 1);
  static constexpr int kOneTwo = PaperKernelOf(sweep, 1, 2);
  static constexpr int kTwoTwo = PaperKernelOf(sweep, 2, 2);

  // The square of a pair, by the pair's kind and corner.
  __device__ int SquareOf(int pair) const {
    const uint64_t all = AllBits(pair / (2 * kLanes));
    const int y = pair % (2 * kLanes) / kBestBlock;
    const int x = pair % kBestBlock;
    int light[kPlaces];
    int64_t sum = 0;
#pragma unroll
    for (int m = 0; m < kPlaces; ++m) {
      const uint32_t bits = static_cast<uint32_t>(all >> 4 * m) & 15;
      light[m] = 0;
      if (bits != 0) {
        light[m] = tables_.gain[bits][Window(y + m / 3, x + m % 3)];
      }
      int with = light[m] * KernelOf(0, 0);
#pragma unroll
      for (int n = 0; n < m; ++n) {
        with += 2 * KernelOf(m / 3 - n / 3, m % 3 - n % 3) * light[n];
      }
      sum += int64_t{with} * light[m];
    }
    return static_cast<int>(sum >> kPaperShift);
  }
  static __device__ uint64_t AllBits(int kind) {
    constexpr uint64_t kOfRight = AllBitsOfPair(kPairRight);
    constexpr uint64_t kOfBelow = AllBitsOfPair(kPairBelow);
    constexpr uint64_t kOfAcross = AllBitsOfPair(kPairAcross);
    constexpr uint64_t kOfAcrossLeft = AllBitsOfPair(kPairAcrossLeft);
    return kind < kPairAcross
               ? (kind == kPairRight ? kOfRight : kOfBelow)
               : (kind == kPairAcross ? kOfAcross : kOfAcrossLeft);
  }

  // The best of the pairs that a pixel is in, in the order of its neighbors.
  __device__ Pair BestOf(int pixel) const {
    Pair best{};
    const auto look = [&](int kind, int corner) {
      const int change = __shfl_sync(
          kAllLanes,
          corner >= kLanes ? changes_[2 * kind + 1] : changes_[2 * kind],
          corner % kLanes);
      if (corner >= 0 && change < best.change) best = {change, kind, corner};
    };
    look(kPairAcross, pixel - kBestBlock - 1);
    look(kPairBelow, pixel - kBestBlock);
    look(kPairAcrossLeft, pixel - kBestBlock);
    look(kPairRight, pixel - 1);
    look(kPairRight, pixel);
    look(kPairAcrossLeft, pixel - 1);
    look(kPairBelow, pixel);
    look(kPairAcross, pixel);
    return best;
  }

  __device__ void Swap(const Pair& pair) {
    const PairShape shape = ShapeOf(pair.kind);
    bits_ ^= (uint64_t{1} << shape.first_column |
              uint64_t{1} << (kBestBlock * shape.last_row + shape.last_column))
             << pair.corner;
    const int y = pair.corner / kBestBlock;
    const int x = pair.corner % kBestBlock;
    __syncwarp();  // all have read the windows and the sums
    const int gain = TurnWindows(pair.kind, y, x);
    if (reaches_out_) {
      AddGains<-kPaperReach, kWindows + 2 * kPaperReach>(gain, y, x);
    } else {
      AddGains<0, kWindows>(gain, y, x);
    }
    // Squares of pairs that have none of these windows stay.
    const int across = column() - x;
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const int down = row() + i * kHalfRows - y;
      if (down < -2 || down > 2 || across < -2 || across > 2) continue;
      known_ &= i == 0 ? 0xAA : 0x55;
    }
    __syncwarp();
  }

  // Each lane has a window. Returns the gain of its light.
  __device__ int TurnWindows(int kind, int y, int x) const {
    const uint64_t all = AllBits(kind);
    const auto bits =
        lane_ < kPlaces ? static_cast<uint32_t>(all >> 4 * lane_) & 15 : 0;
    if (bits == 0) return 0;
    uint8_t& window = Window(y + lane_ / 3, x + lane_ % 3);
    const int gain = tables_.gain[bits][window];
    window = static_cast<uint8_t>(window ^ bits);
    return gain;
  }

  // Adds the lanes' gains to this many columns of sums; a lane has some rows of
  // a column. Other threads may add at the same time.
  template <int first_column, int columns>
  __device__ void AddGains(int gain, int y, int x) const {
    constexpr int kParts = kLanes / columns;
    constexpr int kRows = kWindows / kParts;
    static_assert(kWindows % kParts == 0);
    const int part = lane_ / columns;
    const int column = first_column + lane_ % columns;
    const int row = min(part, kParts - 1) * kRows;
    int more[kRows] = {};
#pragma unroll
    for (int place = 0; place < kPlaces; ++place) {
      const int here = __shfl_sync(kAllLanes, gain, place);
      if (here == 0) continue;
      const int* kernel =
          &tables_.kernel
               .at[kBestBlock + row - (y + place / 3)]
                  [PaperKernelTable::kMiddle + column - (x + place % 3)];
#pragma unroll
      for (int i = 0; i < kRows; ++i) {
        more[i] += kernel[i * PaperKernelTable::kColumns] * here;
      }
    }
    if (part >= kParts) return;
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
      atomicAdd(&tile_.field.sums[row + i][sum_column_ + column], more[i]);
    }
  }

  PaperTile& tile_;
  const PaperTables& tables_;
  const int lane_;
  const int tile_column_;
  const int sum_column_;
  const bool reaches_out_;
  uint64_t gray_, bits_;
  PairNotes& notes_;
  // What a swap changes, for each pair of this lane's pixels, if that is below
  // 0; and a bit for each square that is known.
  int changes_[kSlots];
  uint32_t known_ = 0;
};

}  // namespace halftoned::cuda::swap
