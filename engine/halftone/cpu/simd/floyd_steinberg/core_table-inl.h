// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One target's cores behind the wave's interface. Pages that are printed have
// code of their own: two levels, 8 bits with or without a curve, or 16 bits.
// All others share code that tests at run time how to read pixels, and always
// does what only edges need.

#if defined(HALFTONED_HALFTONE_CPU_SIMD_FLOYD_STEINBERG_CORE_TABLE_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef HALFTONED_HALFTONE_CPU_SIMD_FLOYD_STEINBERG_CORE_TABLE_INL_H_
#undef HALFTONED_HALFTONE_CPU_SIMD_FLOYD_STEINBERG_CORE_TABLE_INL_H_
#else
#define HALFTONED_HALFTONE_CPU_SIMD_FLOYD_STEINBERG_CORE_TABLE_INL_H_
#endif

#include <algorithm>

#include "halftone/cpu/simd/floyd_steinberg/core-inl.h"
#include "halftone/cpu/simd/line.h"

HALFTONED_BEFORE_NAMESPACE();
namespace halftoned::simd {
namespace HWY_NAMESPACE {

constexpr FeedFunction FeedOf(Pixels pixels) {
  return pixels == Pixels::kBytes         ? FeedAny<Pixels::kBytes>
         : pixels == Pixels::kCurvedBytes ? FeedAny<Pixels::kCurvedBytes>
         : pixels == Pixels::kWords       ? FeedAny<Pixels::kWords>
                                          : FeedAny<Pixels::kCurvedWords>;
}

// `code`: what the code is compiled for; `pixels`: what the page has.
template <Pixels code, int levels, Pixels pixels>
void Begin(void* state, const PageKind&) {
  auto& w = *new (state) State<code, levels>;
  std::fill_n(w.f[0], kSlots, uint16_t{kBias});
  std::fill_n(w.sum[0], kSlots, uint16_t{2 * kBias});
  std::fill_n(w.below[0][0], kSkew * kSlots, uint16_t{9 * kBias});
  std::fill_n(w.gathered[0], kSlots, uint16_t{0});
  std::memset(&w.ring, 0, sizeof(w.ring));
  w.feed_any = FeedOf(pixels);
  w.pixel_bytes = BytesOf(pixels);
}

template <Pixels code, int levels>
void Stage(void* state, const BlockIo& io) {
  auto& w = *static_cast<State<code, levels>*>(state);
  const int first = kChunks * io.parity;
  for (int slot = 0; slot < kSlots; ++slot) {
    const int v = slot / kLanes;
    const int lane = slot % kLanes;
    const size_t at = v * 8 * kVectorBytes;
    const uint8_t* const row = io.gray[slot] + io.gray_offset;
    StageRow(row, w.pixel_bytes, BlockStage(w, io.parity) + at, lane);
    if (v != kVectors - 1) continue;
    // The chunk of which the row is ahead.
    uint8_t* const to = BlockStage(w, io.parity ^ 1) + at +
                        (kChunks - 1) * w.pixel_bytes * kPieceBytes +
                        lane % 8 * kVectorBytes + lane / 8 * 16;
    for (int i = 0; i < w.pixel_bytes; ++i) {
      std::memcpy(to + i * kPieceBytes, row + (i - w.pixel_bytes) * 16, 16);
    }
  }
  for (int v = 0; v < kVectors; ++v) {
    FeedVector<code>(w.feed_any, ChunkStage(w, first, v), io.curve,
                     w.feed[0][v]);
  }
  BeginFirst<code>(ChunkStage(w, first + 1, 0), w.halfway[0]);
}

template <Pixels code, int levels>
void Run(void* state, const BlockIo& io, Where where) {
  auto& w = *static_cast<State<code, levels>*>(state);
  if constexpr (!IsAny(code)) {
    if (where == Where::kInside) {
      return RunBlock<code, levels, Where::kInside>(w, io);
    }
  } else {
    if (where == Where::kInside) {
      // This uses the code for edges, with nothing to mark.
      static constexpr uint32_t kNone[kBlock * kVectors] = {};
      BlockIo inside = io;
      inside.outside = kNone;
      return RunBlock<code, levels, Where::kEdge>(w, inside);
    }
  }
  RunBlock<code, levels, Where::kEdge>(w, io);
}

template <Pixels code, int levels>
void Emit(void* state, const BlockIo& io) {
  auto& w = *static_cast<State<code, levels>*>(state);
  for (int v = 0; v < kVectors; ++v) {
    MakeWindow(w.ring, v, WindowBegin(io.parity), w.window);
    for (int lane = 0; lane < kLanes; ++lane) {
      uint8_t* to = io.bits[v * kLanes + lane] + io.bits_offset;
      for (int h = 0; h < kSampleBits<levels>; ++h) {
        std::memcpy(to + 8 * h, w.window.bytes() + Window<1>::At(h, lane), 8);
      }
    }
  }
}

template <Pixels code, int levels, Pixels pixels>
Core MakeCore() {
  return {.state_bytes = sizeof(State<code, levels>),
          .lane_skew = kLaneSkew,
          .last_is_ahead = true,
          .has_noise = false,
          .begin = Begin<code, levels, pixels>,
          .stage = Stage<code, levels>,
          .run = Run<code, levels>,
          .emit = Emit<code, levels>};
}

template <Pixels code, int levels>
Core CoreOfCode(const PageKind& kind) {
  if (kind.depth == Depth::k8) {
    return kind.is_curved ? MakeCore<code, levels, Pixels::kCurvedBytes>()
                          : MakeCore<code, levels, Pixels::kBytes>();
  }
  return kind.is_curved ? MakeCore<code, levels, Pixels::kCurvedWords>()
                        : MakeCore<code, levels, Pixels::kWords>();
}

template <int levels>
Core AnyCore(const PageKind& kind) {
  return kind.recipe->is_pure() ? CoreOfCode<Pixels::kAnyPure, levels>(kind)
                                : CoreOfCode<Pixels::kAny, levels>(kind);
}

Core CoreFor(const PageKind& kind) {
  const int levels = kind.recipe->levels().count;
  if (levels == 4) return AnyCore<4>(kind);
  if (levels == 8) return AnyCore<8>(kind);
  if (levels == 16) return AnyCore<16>(kind);
  if (kind.recipe->is_pure()) return AnyCore<2>(kind);
  if (kind.depth == Depth::k8) {
    return kind.is_curved
               ? MakeCore<Pixels::kCurvedBytes, 2, Pixels::kCurvedBytes>()
               : MakeCore<Pixels::kBytes, 2, Pixels::kBytes>();
  }
  return kind.is_curved ? AnyCore<2>(kind)
                        : MakeCore<Pixels::kWords, 2, Pixels::kWords>();
}

std::span<const CoreEntry> CollectingCores() {
  static constexpr CoreEntry kEntries[] = {
      {{Algorithm::kFloydSteinberg, 1}, &kErrorsLine, CoreFor},
  };
  return kEntries;
}

}  // namespace HWY_NAMESPACE
}  // namespace halftoned::simd
HWY_AFTER_NAMESPACE();

#endif  // HALFTONED_HALFTONE_CPU_SIMD_FLOYD_STEINBERG_CORE_TABLE_INL_H_
