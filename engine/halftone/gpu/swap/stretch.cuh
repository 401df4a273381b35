// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of a row of blocks that a thread block does, and what it reads and
// writes of the window: the bits of the blocks' own rows, and which of them are
// gray, are in shared memory.
//
// The stretch begins with an even block and has as many odd ones, each right of
// its even one. All its even blocks become valid, and all odd ones except the
// last, whose even neighbor is missing: stretches overlap by that block.

#pragma once

#include <cstddef>
#include <cstdint>

#include "halftone/gpu/common/lanes.h"
#include "halftone/gpu/common/swap_job.h"
#include "halftone/page/best_table.h"

namespace halftoned::cuda::swap {

inline constexpr int kWarps = 5;
inline constexpr int kThreads = kWarps * kLanes;
inline constexpr int kSweepBlocksPerMultiprocessor = 4;
inline constexpr int kBlocksPerWarp = 8;
inline constexpr int kPairs = kWarps * kBlocksPerWarp;  // of even and odd
inline constexpr int kPairColumns = 2 * kBestBlock;
// From stretch to stretch.
inline constexpr int kStretchColumns = (kPairs - 1) * kPairColumns;

inline constexpr int kTileRows = kBestBlock + 2 * kBestReach;
inline constexpr int kChunk = 16;  // columns that are read together
inline constexpr int kTileChunks = kPairs + 2;
inline constexpr int kTileColumns = kTileChunks * kChunk;

// Where a stretch lies on the page.
struct Stretch {
  int first_column;  // of its first block
  int tile_column;   // of the tile: a multiple of kChunk

  __device__ Stretch(int number, int shift)
      : first_column(number * kStretchColumns + shift -
                     (shift > 0 ? kPairColumns : 0)),
        tile_column((first_column - kBestReach + 4 * kChunk) / kChunk * kChunk -
                    4 * kChunk) {}

  // The first column in the tile that a block's sums need.
  __device__ int window(int pair, int phase) const {
    return first_column - kBestReach - tile_column + pair * kPairColumns +
           phase * kBestBlock;
  }
};

// The bits of the blocks' own rows, and which of them are gray. The first of
// sixteen columns is in bit 0.
struct OwnRows {
  alignas(4) uint16_t bits[kBestBlock][kTileChunks];
  uint16_t gray[kBestBlock][kTileChunks];

  // The bits of two columns, the first an even one.
  static __device__ uint32_t TwoBits(const uint16_t* row, int column) {
    return row[column / kChunk] >> column % kChunk & 3;
  }
  static __device__ bool IsSet(const uint16_t* row, int column) {
    return (row[column / kChunk] >> column % kChunk & 1) != 0;
  }

  // Turns those pixels of a row, up to eight from a column on, whose bits are
  // set. Other threads may do so at the same time.
  __device__ void Turn(int row, int column, uint32_t turned) {
    static_assert(kTileChunks % 2 == 0);
    uint32_t* word = reinterpret_cast<uint32_t*>(bits[row]) + column / 32;
    atomicXor(word, turned << column % 32);
    const uint32_t rest = turned >> 1 >> (31 - column % 32);
    if (rest != 0) atomicXor(word + 1, rest);
  }
};

// 16 bits of a packed row, the first in bit 0.
__device__ inline uint32_t ChunkOfBits(const std::byte* at) {
  return __byte_perm(__brev(__ldg(reinterpret_cast<const uint16_t*>(at))), 0,
                     0x4423);
}

// The rows of the window that a stretch sees.
class TileRows {
 public:
  // Sixteen columns; 0 outside of the page.
  struct Chunk {
    uint4 tones;
    uint32_t bits;  // the first in bit 0
    uint32_t gray;  // of the blocks' own rows
  };

  // own: the plane that has the blocks' rows; around: that of the rows around.
  __device__ TileRows(const SwapJob& job, int64_t first_row, int tile_column,
                      const std::byte* own, const std::byte* around)
      : window_(job.window),
        own_(own),
        around_(around),
        tile_column_(tile_column),
        top_(Clamped(job.top_row - first_row + kBestReach)),
        end_(Clamped(job.end_row - first_row + kBestReach)),
        place_(job.window.Place(first_row - kBestReach + job.window.rows)) {}

  __device__ bool IsOnPage(int row) const { return row >= top_ && row < end_; }
  // The place of a row of the tile in the window.
  __device__ int PlaceOf(int row) const {
    const int place = place_ + row;
    return place < window_.rows ? place : place - window_.rows;
  }

 protected:
  static __device__ bool IsOwn(uint32_t row) {
    return row - kBestReach < uint32_t{kBestBlock};
  }
  // On the page, of a chunk of the tile; left of the page, a large number.
  __device__ uint32_t ColumnOf(uint32_t chunk) const {
    return static_cast<uint32_t>(tile_column_) + chunk * kChunk;
  }
  __device__ const std::byte* BitsOf(uint32_t row) const {
    return IsOwn(row) ? own_ : around_;
  }

  __device__ Chunk Read(uint32_t row, uint32_t chunk) const {
    Chunk read{};
    const uint32_t column = ColumnOf(chunk);
    if (IsOnPage(static_cast<int>(row)) && column < window_.tone_pitch) {
      const auto place = static_cast<uint32_t>(PlaceOf(static_cast<int>(row)));
      read.tones = __ldg(reinterpret_cast<const uint4*>(
          window_.tones + (place * window_.tone_pitch + column)));
      const uint32_t at = place * window_.bit_pitch + column / 8;
      read.bits = ChunkOfBits(BitsOf(row) + at);
      if (IsOwn(row)) read.gray = ChunkOfBits(window_.gray + at);
    }
    return read;
  }

  const SwapWindow& window_;

 private:
  static __device__ int Clamped(int64_t row) {
    return static_cast<int>(min(max(row, int64_t{0}), int64_t{kTileRows}));
  }

  const std::byte* const own_;
  const std::byte* const around_;
  const int tile_column_;
  const int top_, end_;  // rows of the tile that are on the page
  const int place_;      // of the tile's first row
};

// Stores the bits of a stretch, except columns that begin or end within a byte.
__device__ inline void StoreStretch(const OwnRows& tile, const SwapJob& job,
                                    const TileRows& rows,
                                    const Stretch& stretch, std::byte* to) {
  constexpr int kBytes = kStretchColumns / 8;
  const int first =
      (stretch.first_column - stretch.tile_column + 7) / 8;  // byte of a row
  const int first_on_page = first + stretch.tile_column / 8;
  for (int i = threadIdx.x; i < kBestBlock * kBytes; i += kThreads) {
    const int row = i / kBytes;
    const int byte = i % kBytes;
    const int on_page = first_on_page + byte;
    if (!rows.IsOnPage(kBestReach + row) || on_page < 0 ||
        on_page >= static_cast<int>(job.window.bit_pitch)) {
      continue;
    }
    const int in_tile = first + byte;
    const uint32_t two = __brev(tile.bits[row][in_tile / 2]);
    to[static_cast<size_t>(rows.PlaceOf(kBestReach + row)) *
           job.window.bit_pitch +
       static_cast<size_t>(on_page)] =
        static_cast<std::byte>(two >> (in_tile % 2 == 0 ? 24 : 16));
  }
}

}  // namespace halftoned::cuda::swap
