// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a thread block has in shared memory: the errors of a stretch of a row of
// blocks, with the rows and columns around them that the kernel reaches, as
// halves; and of the blocks' own rows the bits, and which of them are gray.
//
// The stretch begins with an even block and has as many odd ones, each right of
// its even one. All its even blocks come out right, and all odd ones but the
// last, whose even neighbour is not there: stretches overlap by that one.

#ifndef HALFTONED_HALFTONE_GPU_SWAP_BLOCK_TILE_CUH_
#define HALFTONED_HALFTONE_GPU_SWAP_BLOCK_TILE_CUH_

#include <cuda_fp16.h>

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

  // In the tile, of the first column that a block's sums ask for.
  __device__ int window(int pair, int phase) const {
    return first_column - kBestReach - tile_column + pair * kPairColumns +
           phase * kBestBlock;
  }
};

struct BlockTile {
  // Two columns a word. In every other 32 words, fours of words have changed
  // places, so that lanes that read the same words of eight blocks' windows
  // find them in different banks.
  alignas(16) uint32_t errors[kTileRows][kTileColumns / 2];
  // The first of sixteen columns in bit 0.
  alignas(4) uint16_t bits[kBestBlock][kTileChunks];
  uint16_t gray[kBestBlock][kTileChunks];

  static __device__ int WordOf(int column) {
    const int word = column / 2;
    return word ^ (word / 32 % 2 * 4);
  }

  // Of two columns, the first an even one.
  static __device__ uint32_t TwoBits(const uint16_t* row, int column) {
    return row[column / kChunk] >> column % kChunk & 3;
  }

  // Turns those of two pixels whose bits are set, the first an even column, and
  // adds to their errors. Others may do so beside them.
  __device__ void Turn(int row, int column, uint32_t turned, __half2 change) {
    const int chunk = row * kTileChunks + column / kChunk;
    atomicXor(reinterpret_cast<uint32_t*>(&bits[0][0]) + chunk / 2,
              turned << (chunk % 2 * kChunk + column % kChunk));
    auto* two =
        reinterpret_cast<__half2*>(&errors[kBestReach + row][WordOf(column)]);
    *two = __hadd2(*two, change);
  }
};

// 16 bits of a packed row, the first in bit 0.
__device__ inline uint32_t ChunkOfBits(const std::byte* at) {
  return __byte_perm(__brev(__ldg(reinterpret_cast<const uint16_t*>(at))), 0,
                     0x4423);
}

// Four errors, 255·b − a, exactly: 1024 + a is 0x6400 + a as a half. bits: the
// four lowest ones.
__device__ inline uint2 FourErrors(uint32_t tones, uint32_t bits) {
  const uint32_t white = ((bits & 15) * 0x00204081 & 0x01010101) * 0xFF;
  const auto pair = [&](unsigned bytes) {
    const uint32_t high = __byte_perm(white, 0x64646464, bytes);
    const uint32_t low = __byte_perm(tones, 0x64646464, bytes);
    const __half2 errors = __hsub2(reinterpret_cast<const __half2&>(high),
                                   reinterpret_cast<const __half2&>(low));
    return reinterpret_cast<const uint32_t&>(errors);
  };
  return make_uint2(pair(0x4140), pair(0x4342));
}

// Fills a tile; by all threads.
class TileLoader {
 public:
  // own: the plane that has the blocks' rows; around: that of the rows around.
  __device__ TileLoader(const SwapJob& job, int64_t first_row, int tile_column,
                        const std::byte* own, const std::byte* around)
      : window_(job.window),
        own_(own),
        around_(around),
        tile_column_(tile_column),
        top_(Clamped(job.top_row - first_row + kBestReach)),
        end_(Clamped(job.end_row - first_row + kBestReach)),
        place_(job.window.Place(first_row - kBestReach + job.window.rows)) {}

  // Whether there is anything gray in the blocks' rows.
  __device__ bool Load(BlockTile& tile) const {
    bool has_gray = false;
    uint32_t row = threadIdx.x / kTileChunks;
    uint32_t chunk = threadIdx.x % kTileChunks;
    while (row < kTileRows) {
      has_gray |= LoadChunk(tile, row, chunk);
      row += kThreads / kTileChunks;
      chunk += kThreads % kTileChunks;
      if (chunk >= kTileChunks) {
        chunk -= kTileChunks;
        ++row;
      }
    }
    return has_gray;
  }

  __device__ bool IsOnPage(int row) const { return row >= top_ && row < end_; }
  // Of a row of the tile, in the window.
  __device__ int PlaceOf(int row) const {
    const int place = place_ + row;
    return place < window_.rows ? place : place - window_.rows;
  }

 private:
  static __device__ int Clamped(int64_t row) {
    return static_cast<int>(min(max(row, int64_t{0}), int64_t{kTileRows}));
  }

  __device__ bool LoadChunk(BlockTile& tile, uint32_t row,
                            uint32_t chunk) const {
    const uint32_t column =
        static_cast<uint32_t>(tile_column_) + chunk * kChunk;
    uint4 tones = make_uint4(0, 0, 0, 0);
    uint32_t bits = 0;
    uint32_t gray = 0;
    const uint32_t own_row = row - kBestReach;
    const bool is_own = own_row < kBestBlock;
    // Columns left of the page are large numbers, too.
    if (IsOnPage(static_cast<int>(row)) && column < window_.tone_pitch) {
      const auto place = static_cast<uint32_t>(PlaceOf(static_cast<int>(row)));
      tones = __ldg(reinterpret_cast<const uint4*>(
          window_.tones + (place * window_.tone_pitch + column)));
      const uint32_t at = place * window_.bit_pitch + column / 8;
      bits = ChunkOfBits((is_own ? own_ : around_) + at);
      if (is_own) gray = ChunkOfBits(window_.gray + at);
    }
    const auto put = [&](uint32_t column_of_chunk, uint2 a, uint2 b) {
      *reinterpret_cast<uint4*>(
          &tile.errors[row][(chunk * kChunk + column_of_chunk) / 2 ^
                            chunk / 4 % 2 * 4]) =
          make_uint4(a.x, a.y, b.x, b.y);
    };
    put(0, FourErrors(tones.x, bits), FourErrors(tones.y, bits >> 4));
    put(8, FourErrors(tones.z, bits >> 8), FourErrors(tones.w, bits >> 12));
    if (is_own) {
      tile.bits[own_row][chunk] = static_cast<uint16_t>(bits);
      tile.gray[own_row][chunk] = static_cast<uint16_t>(gray);
    }
    return gray != 0;
  }

  const SwapWindow& window_;
  const std::byte* const own_;
  const std::byte* const around_;
  const int tile_column_;
  const int top_, end_;  // rows of the tile that are on the page
  const int place_;      // of the tile's first row
};

}  // namespace halftoned::cuda::swap

#endif  // HALFTONED_HALFTONE_GPU_SWAP_BLOCK_TILE_CUH_
