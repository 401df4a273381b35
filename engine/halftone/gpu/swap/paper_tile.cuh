// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of a stretch (stretch.cuh) that a thread block holds with print
// feedback, in addition to its own rows: the errors of the light of windows,
// including those around that the kernel reaches; later, in their place, the
// sums p of the windows that swaps in the blocks can change, and the kinds of
// these windows.

#pragma once

#include <cuda_fp16.h>

#include <cstdint>

#include "halftone/gpu/common/on_device.cuh"
#include "halftone/gpu/swap/paper_kernel.h"
#include "halftone/gpu/swap/paper_windows.h"
#include "halftone/gpu/swap/stretch.cuh"

namespace halftoned::cuda::swap {

// Rows and columns of windows that swaps in a block can change.
inline constexpr int kWindows = kBestBlock + 1;
// How many columns before the stretch's first one swaps reach.
inline constexpr int kSumMargin = 8;
inline constexpr int kSumColumns = kSumMargin + kPairs * kPairColumns;

// What a warp notes of the pairs of a block (paper_windows.h), by their kind
// and corner: the squares that it knows, and those that it needs.
struct PairNotes {
  static constexpr int kMost = kPairKinds * kBestBlock * kBestBlock;

  int32_t squares[kMost];
  uint8_t asked[kMost];
};

struct PaperField {
  int32_t sums[kWindows][kSumColumns];
  PairNotes notes[kWarps];
};

struct PaperTile : OwnRows {
  union {
    // Two columns a word; the first row is not used.
    alignas(16) uint32_t errors[kTileRows][kTileColumns / 2];
    PaperField field;
  };
  alignas(16) uint8_t windows[kWindows][kTileColumns];
};

template <int sweep>
struct PaperKernels {
  static constexpr PaperKernelTable kValue = PaperKernelTable::Make(sweep);
};

// Lookup tables of the lanes.
struct PaperTables {
  PaperNumbers numbers;
  // The light that a window gains if these of its bits are inverted; and, for
  // two bits, how much more that is than the gains of each.
  int16_t gain[kWindowBits][kWindowKinds];
  int16_t together[kWindowBits][kWindowKinds];
  PaperKernelTable kernel;

  // Called by all threads of the block, one after the other.
  template <int sweep>
  __device__ void FillNumbers(const PaperNumbers& from) {
    constexpr uint32_t kNumbers = sizeof(PaperNumbers) / sizeof(int16_t);
    for (uint32_t i = threadIdx.x; i < kNumbers; i += kThreads) {
      (&numbers.light[0])[i] = (&from.light[0])[i];
    }
    constexpr uint32_t kWords = sizeof(PaperKernelTable) / sizeof(int32_t);
    for (uint32_t i = threadIdx.x; i < kWords; i += kThreads) {
      (&kernel.at[0][0])[i] = (&OnDevice<PaperKernels<sweep>>().at[0][0])[i];
    }
  }
  __device__ void FillGains() {
    for (uint32_t i = threadIdx.x; i < kWindowBits * kWindowKinds;
         i += kThreads) {
      const uint32_t bits = i / kWindowKinds;
      const uint32_t kind = i % kWindowKinds;
      const auto gain_of = [&](uint32_t inverted) {
        return numbers.light[kind ^ inverted] - numbers.light[kind];
      };
      const uint32_t lowest = bits & (0 - bits);
      gain[bits][kind] = static_cast<int16_t>(gain_of(bits));
      together[bits][kind] = static_cast<int16_t>(
          gain_of(bits) - gain_of(lowest) - gain_of(bits ^ lowest));
    }
  }
};

// Fills a tile. Called by all threads.
class PaperLoader : public TileRows {
 public:
  using TileRows::TileRows;

  // Loads the blocks' rows; returns whether any pixel is gray.
  __device__ bool LoadOwn(PaperTile& tile) const {
    bool has_gray = false;
    for (uint32_t i = threadIdx.x; i < kBestBlock * kTileChunks;
         i += kThreads) {
      const uint32_t row = i / kTileChunks;
      const uint32_t chunk = i % kTileChunks;
      const Chunk read = Read(kBestReach + row, chunk);
      tile.bits[row][chunk] = static_cast<uint16_t>(read.bits);
      tile.gray[row][chunk] = static_cast<uint16_t>(read.gray);
      has_gray |= read.gray != 0;
    }
    return has_gray;
  }

  // Loads the windows and their errors. Each thread goes down sixteen columns.
  __device__ void LoadWindows(PaperTile& tile,
                              const PaperTables& tables) const {
    static_assert(kTileRows % kSegmentRows == 0);
    static_assert(kTileRows / kSegmentRows * kTileChunks <= kThreads);
    const uint32_t chunk = threadIdx.x % kTileChunks;
    uint32_t row = threadIdx.x / kTileChunks * kSegmentRows;
    if (row >= kTileRows) return;
    const uint32_t end = row + kSegmentRows;
    if (row > 0) --row;
    Pixels above = ReadPixels(row, chunk, tables);
    while (++row < end) {
      const Pixels here = ReadPixels(row, chunk, tables);
      MakeWindows(tile, tables, row, chunk, here, above);
      above = here;
    }
  }

 private:
  static constexpr uint32_t kSegmentRows = 8;
  static constexpr int kPixels = kChunk + 1;

  // Pixels of a row: that on the left of a chunk, and the chunk's.
  struct Pixels {
    uint32_t bits;  // the first in bit 0
    // The aim, and in the upper half the tone.
    uint32_t tones[kPixels];
  };

  __device__ Pixels ReadPixels(uint32_t row, uint32_t chunk,
                               const PaperTables& tables) const {
    const Chunk read = Read(row, chunk);
    uint32_t left = 0;
    uint32_t left_bit = 0;
    const uint32_t column = ColumnOf(chunk) - 1;
    if (IsOnPage(static_cast<int>(row)) && column < window_.tone_pitch) {
      const auto place = static_cast<uint32_t>(PlaceOf(static_cast<int>(row)));
      left = static_cast<uint32_t>(
          window_.tones[place * window_.tone_pitch + column]);
      // The last one of a byte.
      left_bit = static_cast<uint32_t>(
                     BitsOf(row)[place * window_.bit_pitch + column / 8]) &
                 1;
    }
    const auto number = [&](uint32_t tone) {
      return static_cast<uint32_t>(tables.numbers.aim[tone]) | tone << 16;
    };
    Pixels pixels;
    pixels.bits = left_bit | read.bits << 1;
    pixels.tones[0] = number(left);
    const uint32_t words[] = {read.tones.x, read.tones.y, read.tones.z,
                              read.tones.w};
#pragma unroll
    for (int i = 0; i < kChunk; ++i) {
      pixels.tones[i + 1] = number(words[i / 4] >> i % 4 * 8 & 0xFF);
    }
    return pixels;
  }

  // Two pixels of a column: the sum of both, the lighter and the darker tone.
  struct Column {
    uint32_t sum;
    int most, least;
  };
  static __device__ Column ColumnOfPixels(uint32_t here, uint32_t above) {
    const auto upper = static_cast<int>(above >> 16);
    const auto lower = static_cast<int>(here >> 16);
    return {here + above, max(upper, lower), min(upper, lower)};
  }

  static __device__ void MakeWindows(PaperTile& tile, const PaperTables& tables,
                                     uint32_t row, uint32_t chunk,
                                     const Pixels& here, const Pixels& above) {
    uint32_t errors[kChunk / 2];
    uint32_t windows[kChunk / 4] = {};
    Column left = ColumnOfPixels(here.tones[0], above.tones[0]);
    uint32_t light = 0;
    uint32_t aims = 0;
#pragma unroll
    for (int i = 0; i < kChunk; ++i) {
      const Column own = ColumnOfPixels(here.tones[i + 1], above.tones[i + 1]);
      const bool is_edge =
          max(own.most, left.most) - min(own.least, left.least) > kPaperEdge;
      const uint32_t sum = own.sum + left.sum;
      const uint32_t aim = is_edge ? sum >> 16 << 2 : sum & 0xFFFF;
      const uint32_t kind = (here.bits >> i & 3) | (above.bits >> i & 3) << 2 |
                            (is_edge ? kEdgeWindow : 0);
      const int shift = i % 2 * 16;
      light |= static_cast<uint32_t>(tables.numbers.light[kind]) << shift;
      aims |= (aim + 2) >> 2 << shift;
      windows[i / 4] |= kind << i % 4 * 8;
      left = own;
      if (i % 2 == 0) continue;
      errors[i / 2] = TwoErrors(light, aims);
      light = aims = 0;
    }
    auto* to = reinterpret_cast<uint4*>(&tile.errors[row][chunk * kChunk / 2]);
    to[0] = make_uint4(errors[0], errors[1], errors[2], errors[3]);
    to[1] = make_uint4(errors[4], errors[5], errors[6], errors[7]);
    const uint32_t own_row = row - kBestReach;
    if (own_row >= kWindows) return;
    *reinterpret_cast<uint4*>(&tile.windows[own_row][chunk * kChunk]) =
        make_uint4(windows[0], windows[1], windows[2], windows[3]);
  }

  // Exactly: 1024 + a is 0x6400 + a as a half, and both are below 1024.
  static __device__ uint32_t TwoErrors(uint32_t light, uint32_t aims) {
    static_assert(kPaperWhite < 1024);
    const uint32_t high = light + 0x64006400;
    const uint32_t low = aims + 0x64006400;
    const __half2 errors = __hsub2(reinterpret_cast<const __half2&>(high),
                                   reinterpret_cast<const __half2&>(low));
    return reinterpret_cast<const uint32_t&>(errors);
  }
};

}  // namespace halftoned::cuda::swap
