// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface between the wave (wave.h), which knows rows and pointers, and
// the cores, which know vectors and are compiled once for each target: a block
// of 64 steps of a strip.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "halftone/cpu/simd/curve_tables.h"
#include "halftone/cpu/simd/spread/tone_records.h"
#include "halftone/page/method.h"
#include "halftone/page/page.h"
#include "halftone/page/recipe.h"

namespace halftoned::simd {

// The state between steps is an error e plus kBias, never negative.
inline constexpr int kBias = 2039;

inline constexpr int kBlock = 64;  // steps from one set of pointers to the next
inline constexpr int kChunk = 16;  // steps that one transpose feeds
inline constexpr int kChunks = kBlock / kChunk;

// Steps by which a lane of Floyd–Steinberg lags behind the one above it. A
// strip's rows go round its vectors, so a row lags kLaneSkew / vectors behind
// the row above it, which must have finished one column to the right.
inline constexpr int kLaneSkew = 8;
static_assert(kLaneSkew % 8 == 0, "all lanes begin bytes in the same step");

// Bits leave a block late: the window of 64 columns that a block gives begins
// this many steps before the block before it.
inline constexpr int kWindowLag = 16;
static_assert(kWindowLag >= 2 * kLaneSkew, "no row of any core is behind it");

inline constexpr int kMaxVectors = 4;
inline constexpr int kMaxSlots = 64;  // rows of the tallest strip
inline constexpr int kMaxSampleBits = 4;
inline constexpr int kMaxPlanes = 2;  // of what a row hands to the next

// Turns in which rows are fetched into the cache: in each block one row of
// kTurns, a run of kTurns · kBlock columns.
inline constexpr int kTurns = 8;

// Where a block's data comes from and goes to. A strip has vectors · lanes
// rows; row vectors · k + v of it is in lane `lanes - 1 - k` of vector v, and
// its slot is lanes · v + lane. Both numbers are the target's.
struct BlockIo {
  // The next block's pixels of each slot; see Core::last_is_ahead.
  const uint8_t* const* gray;
  size_t gray_offset;    // bytes, added to each
  uint8_t* const* bits;  // of each slot: the last window's bytes
  size_t bits_offset;
  const uint8_t* gray_ahead[kMaxSlots / kTurns];  // runs to fetch
  uint8_t* bits_ahead[kMaxSlots / kTurns];        // lines to fetch, to write
  // For the strip's first row, and from its last: Line, a column ahead of the
  // first.
  const uint16_t* above[kMaxPlanes];
  uint16_t* below[kMaxPlanes];
  uint16_t* lowest;         // the last row's own state of the second plane
  const uint32_t* outside;  // [step][vector]: lanes without error
  const uint32_t* begins;   // [step][vector]: lanes that begin a row
  const uint32_t* ends;     // of rows with runs: at the column of MarkEnds
  const uint16_t* noise;    // of each slot that does: NoiseAt
  // [step][vector][lane]: the state of each step, as in the carry except for
  // Line's scale; null: not wanted.
  uint16_t* states[kMaxPlanes];
  const CurveTables* curve;
  int parity;  // of the block's number
};

// kInside: every row is amid its columns. kEdge: errors of lanes in `outside`
// are made 0, and all states are stored to `states` if they are wanted.
enum class Where { kInside, kEdge };

struct PageKind {
  Depth depth;
  bool is_curved;
  const Recipe* recipe;
  // For recipes that have records; null for all others.
  const ToneRecords* records = nullptr;
};

// One target's code for one kind of page. State is opaque: state_bytes, on a
// boundary of 64.
struct Core {
  size_t state_bytes;
  int lane_skew;       // a multiple of 8, at most kWindowLag
  bool last_is_ahead;  // the last vector's slots get pixels of one chunk later
  bool has_noise;      // needs BlockIo::begins and noise
  void (*begin)(void* state, const PageKind& kind);
  // Stages the pixels at io.gray for the block of parity io.parity.
  void (*stage)(void* state, const BlockIo& io);
  // Takes the block of parity io.parity, stages the next one's pixels and
  // gives the window of the one before.
  void (*run)(void* state, const BlockIo& io, Where where);
  // Gives the window alone.
  void (*emit)(void* state, const BlockIo& io);
};

struct LineKind;  // line.h

// One method that a target has code for.
struct CoreEntry {
  MethodId method;
  const LineKind* line;
  Core (*core)(const PageKind& kind);
};

// One target.
struct Target {
  std::string_view name;
  std::string_view needs;
  int priority;  // higher is faster
  bool (*runs_here)();
  int vectors;
  int lanes;
  // Its methods; those that spread errors are compiled separately.
  std::span<const CoreEntry> (*collecting)();
  std::span<const CoreEntry> (*spreading)();

  // Null: there is no code for this method.
  const CoreEntry* Find(MethodId method) const {
    const CoreEntry* entry = FindEntry(collecting(), method);
    return entry ? entry : FindEntry(spreading(), method);
  }
};

// The targets that this build has code for.
std::span<const Target> Targets();

}  // namespace halftoned::simd
