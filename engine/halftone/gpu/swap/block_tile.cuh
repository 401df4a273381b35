// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of a stretch (stretch.cuh) that a thread block holds in addition to
// its own rows: the errors, as halves, including those of the rows and columns
// around that the kernel reaches.

#pragma once

#include <cuda_fp16.h>

#include <cstdint>

#include "halftone/gpu/swap/stretch.cuh"

namespace halftoned::cuda::swap {

struct BlockTile : OwnRows {
  // Two columns a word. In every other 32 words, fours of words have changed
  // places, so that lanes that read the same words of eight blocks' windows
  // find them in different banks.
  alignas(16) uint32_t errors[kTileRows][kTileColumns / 2];

  static __device__ int WordOf(int column) {
    const int word = column / 2;
    return word ^ (word / 32 % 2 * 4);
  }

  // Turns those of two pixels whose bits are set, the first an even column, and
  // adds to their errors. Other threads may do so at the same time.
  __device__ void TurnTwo(int row, int column, uint32_t turned,
                          __half2 change) {
    Turn(row, column, turned);
    auto* two =
        reinterpret_cast<__half2*>(&errors[kBestReach + row][WordOf(column)]);
    *two = __hadd2(*two, change);
  }
};

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

// Fills a tile. Called by all threads.
class TileLoader : public TileRows {
 public:
  using TileRows::TileRows;

  // Returns whether any pixel in the blocks' rows is gray.
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

 private:
  __device__ bool LoadChunk(BlockTile& tile, uint32_t row,
                            uint32_t chunk) const {
    const auto [tones, bits, gray] = Read(row, chunk);
    const auto put = [&](uint32_t column_of_chunk, uint2 a, uint2 b) {
      *reinterpret_cast<uint4*>(
          &tile.errors[row][(chunk * kChunk + column_of_chunk) / 2 ^
                            chunk / 4 % 2 * 4]) =
          make_uint4(a.x, a.y, b.x, b.y);
    };
    put(0, FourErrors(tones.x, bits), FourErrors(tones.y, bits >> 4));
    put(8, FourErrors(tones.z, bits >> 8), FourErrors(tones.w, bits >> 12));
    if (IsOwn(row)) {
      const uint32_t own_row = row - kBestReach;
      tile.bits[own_row][chunk] = static_cast<uint16_t>(bits);
      tile.gray[own_row][chunk] = static_cast<uint16_t>(gray);
    }
    return gray != 0;
  }
};

}  // namespace halftoned::cuda::swap
