// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Data movement around a core's arithmetic: the pixels of 64 steps from their
// rows to vectors, and the last 64 decisions to their rows, in portions that
// fit between the steps of the arithmetic.

#if defined(HALFTONED_HALFTONE_CPU_SIMD_VECTORS_BLOCK_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef HALFTONED_HALFTONE_CPU_SIMD_VECTORS_BLOCK_INL_H_
#undef HALFTONED_HALFTONE_CPU_SIMD_VECTORS_BLOCK_INL_H_
#else
#define HALFTONED_HALFTONE_CPU_SIMD_VECTORS_BLOCK_INL_H_
#endif

#include "halftone/cpu/simd/core.h"
#include "halftone/cpu/simd/vectors/bits-inl.h"
#include "halftone/cpu/simd/vectors/pixels-inl.h"
#include "halftone/cpu/simd/vectors/quantize-inl.h"

HALFTONED_BEFORE_NAMESPACE();
namespace halftoned::simd {
namespace HWY_NAMESPACE {

// Unrolled steps; a chunk is a loop over turns.
constexpr int kTurnSteps = 4;
constexpr int kTurnsOfChunk = kChunk / kTurnSteps;
static_assert(kTurnsOfChunk % kVectors == 0);

// Rows that a turn moves.
constexpr int kMovedRows = kSlots / kChunks / kTurnsOfChunk;
static_assert(8 % kMovedRows == 0 && kMovedRows % 2 == 0);

using FeedAnyFunction = void (*)(const uint8_t* piece, const CurveTables* curve,
                                 uint8_t* feed);

template <Pixels pixels>
HWY_NOINLINE void FeedWords(const uint8_t* piece, const CurveTables* curve,
                            uint8_t* feed) {
  Feed<pixels, true>(piece, curve, feed);
}

// Pixels in, samples out.
template <Pixels pixels, int bits_of_sample>
class PixelsToBits {
 public:
  void Begin(const PageKind& kind) {
    std::memset(&ring_, 0, sizeof(ring_));
    pixel_bytes_ = BytesPerSample(kind.depth);
    feed_any_ = kind.depth == Depth::k8
                    ? (kind.is_curved ? FeedWords<Pixels::kCurvedBytes>
                                      : FeedWords<Pixels::kBytes>)
                    : (kind.is_curved ? FeedWords<Pixels::kCurvedWords>
                                      : FeedWords<Pixels::kWords>);
  }

  // All of a block's pixels.
  void Stage(const BlockIo& io) {
    for (int slot = 0; slot < kSlots; ++slot) {
      StageRow(io.gray[slot] + io.gray_offset, pixel_bytes(),
               stage_[io.parity] + slot / kLanes * 8 * kVectorBytes,
               slot % kLanes);
    }
    for (int v = 0; v < kVectors; ++v) {
      FeedVector(stage_[io.parity], 0, v, io.curve, feed_[0][v]);
    }
  }

  // All of a window's bits.
  void Emit(const BlockIo& io) {
    for (int v = 0; v < kVectors; ++v) {
      MakeWindow(ring_, v, WindowBegin(io.parity), window_);
      for (int lane = 0; lane < kLanes; ++lane) {
        CopyRow(window_.bytes() + Window<1>::At(0, lane),
                io.bits[v * kLanes + lane] + io.bits_offset);
      }
    }
  }

  // One turn's share of a block's pixels and bits.
  HWY_INLINE void Move(const BlockIo& io, size_t chunk, size_t turn) {
    const size_t first = (chunk * kTurnsOfChunk + turn) * kMovedRows;
    const size_t v = first / kLanes;
    const size_t lane = first % kLanes;
    if (lane == 0) MakeWindow(ring_, v, WindowBegin(io.parity), window_);
    // Copies, because stores of bytes may alias anything else. A turn has so
    // few rows that only the place of the first one is computed.
    const uint8_t* const* const gray = io.gray + first;
    uint8_t* const* const bits = io.bits + first;
    const size_t gray_offset = io.gray_offset;
    const size_t bits_offset = io.bits_offset;
    uint8_t* const stage = stage_[io.parity ^ 1] + v * 8 * kVectorBytes +
                           lane % 8 * kVectorBytes + lane / 8 * 16;
    const uint8_t* const window =
        window_.bytes() + lane % 8 / 2 * kVectorBytes + lane / 8 * 16;
    HALFTONED_UNROLL
    for (int i = 0; i < kMovedRows; ++i) {
      StageRow(gray[i] + gray_offset, pixel_bytes(), stage, i);
      CopyRow(window + Window<1>::At(0, i), bits[i] + bits_offset);
    }
    FetchAhead(io, chunk * kTurnsOfChunk + turn);
    FeedNext(io, chunk, turn);
  }

  RingOfBits<bits_of_sample>& ring() { return ring_; }
  // The pixels of a chunk; see Fetch.
  HWY_INLINE const uint8_t* feed(size_t chunk, size_t v) const {
    return feed_[chunk % 2][v];
  }

 private:
  // One row's part of a window.
  static HWY_INLINE void CopyRow(const uint8_t* window, uint8_t* to) {
    HALFTONED_UNROLL
    for (int h = 0; h < bits_of_sample; ++h) {
      std::memcpy(to + 8 * h, window + Window<bits_of_sample>::At(h, 0), 8);
    }
  }

  // The ring step, before its vectors' skew, at which the window of the block
  // of this parity begins.
  static constexpr int WindowBegin(int parity) {
    return (kBlock * parity + kRingSteps - kBlock - kWindowLag) % kRingSteps;
  }

  HWY_INLINE size_t pixel_bytes() const {
    return pixels == Pixels::kAny ? pixel_bytes_ : BytesOf(pixels);
  }

  HWY_INLINE void FetchAhead(const BlockIo& io, size_t turn_of_block) const {
    constexpr size_t kRuns = kSlots / kTurns;  // of a block: 8, 8 or 4
    constexpr size_t kParts = kChunks * kTurnsOfChunk / kRuns;
    const size_t run = turn_of_block / kParts;
    const size_t part = turn_of_block % kParts;
    const size_t bytes = kTurns * kBlock / kParts * pixel_bytes();
    const uint8_t* const from = io.gray_ahead[run] + part * bytes;
    for (size_t line = 0; line < bytes; line += 64) {
      __builtin_prefetch(from + line, 0, 2);
    }
    if (part == 0) __builtin_prefetch(io.bits_ahead[run], 1);
  }

  // Feeds the next chunk's pixels of one vector. Those of a block's first chunk
  // are staged with the last turn of the block before, so they come last.
  HWY_INLINE void FeedNext(const BlockIo& io, size_t chunk, size_t turn) {
    constexpr size_t kEvery = kTurnsOfChunk / kVectors;
    if (turn % kEvery != kEvery - 1) return;
    const size_t v = turn / kEvery;
    const size_t next = (chunk + 1) % kChunks;
    FeedVector(stage_[next == 0 ? io.parity ^ 1 : io.parity], next, v, io.curve,
               feed_[next % 2][v]);
  }

  HWY_INLINE void FeedVector(const uint8_t* stage, size_t chunk, size_t v,
                             const CurveTables* curve, uint8_t* feed) const {
    const uint8_t* const piece =
        stage + chunk * pixel_bytes() * kPieceBytes + v * 8 * kVectorBytes;
    if constexpr (pixels == Pixels::kAny) {
      feed_any_(piece, curve, feed);
    } else {
      Feed<pixels, false>(piece, curve, feed);
    }
  }

  alignas(64) uint8_t stage_[2][BytesOf(pixels) * kBlock / 16 * kPieceBytes];
  alignas(64) uint8_t feed_[2][kVectors][kFeedBytes];
  RingOfBits<bits_of_sample> ring_;
  Window<bits_of_sample> window_;
  // For kAny:
  FeedAnyFunction feed_any_;
  size_t pixel_bytes_;
};

}  // namespace HWY_NAMESPACE
}  // namespace halftoned::simd
HWY_AFTER_NAMESPACE();

#endif  // HALFTONED_HALFTONE_CPU_SIMD_VECTORS_BLOCK_INL_H_
