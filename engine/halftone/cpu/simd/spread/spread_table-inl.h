// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One target's cores of recipes that spread errors. The most common recipe,
// `fine` from 8 bits, has separate code for each kind of pixels; the others
// share code that tests it at run time.

#if defined(HALFTONED_HALFTONE_CPU_SIMD_SPREAD_SPREAD_TABLE_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef HALFTONED_HALFTONE_CPU_SIMD_SPREAD_SPREAD_TABLE_INL_H_
#undef HALFTONED_HALFTONE_CPU_SIMD_SPREAD_SPREAD_TABLE_INL_H_
#else
#define HALFTONED_HALFTONE_CPU_SIMD_SPREAD_SPREAD_TABLE_INL_H_
#endif

#include "halftone/cpu/simd/line.h"
#include "halftone/cpu/simd/spread/classic-inl.h"
#include "halftone/cpu/simd/spread/clustered-inl.h"
#include "halftone/cpu/simd/spread/fine-inl.h"
#include "halftone/cpu/simd/spread/fine_by_record-inl.h"
#include "halftone/cpu/simd/spread/fine_on_paper-inl.h"
#include "halftone/cpu/simd/spread/spread_core-inl.h"

HALFTONED_BEFORE_NAMESPACE();
namespace halftoned::simd {
namespace HWY_NAMESPACE {

template <template <bool> class Method, Pixels pixels>
Core SpreadCore(bool is_pure) {
  return is_pure ? MakeSpreadCore<Method<true>, pixels>()
                 : MakeSpreadCore<Method<false>, pixels>();
}

template <int bits>
Core FineOfLevelsCore(const PageKind& kind) {
  return kind.depth == Depth::k16
             ? MakeSpreadCore<FineOfLevels<bits>, Pixels::kAny>()
             : MakeSpreadCore<FineByRecord<true, bits>, Pixels::kRecords>();
}

template <bool is_pure>
using FineOfBytes = FineByRecord<is_pure, 1>;

#if HWY_TARGET == HWY_AVX3_DL
template <bool is_pure>
using FineOnPaperOf8Bits = FineOnPaperOfBytes<is_pure>;
#else
template <bool is_pure>
using FineOnPaperOf8Bits = FineOnPaper<is_pure, false>;
#endif

template <bool is_pure>
using FineOnPaperOf16Bits = FineOnPaper<is_pure, true>;

Core FineOnPaperCore(const PageKind& kind) {
  const bool is_pure = kind.recipe->is_pure();
  return kind.depth == Depth::k16
             ? SpreadCore<FineOnPaperOf16Bits, Pixels::kAny>(is_pure)
             : SpreadCore<FineOnPaperOf8Bits, Pixels::kRecords>(is_pure);
}

Core FineCore(const PageKind& kind) {
  if (kind.recipe->has_feedback()) return FineOnPaperCore(kind);
  const int bits = kind.recipe->levels().bits_per_sample;
  if (bits == 2) return FineOfLevelsCore<2>(kind);
  if (bits == 4) return FineOfLevelsCore<4>(kind);
  const bool is_pure = kind.recipe->is_pure();
  if (kind.depth == Depth::k16) return SpreadCore<Fine, Pixels::kAny>(is_pure);
  return SpreadCore<FineOfBytes, Pixels::kRecords>(is_pure);
}

Core ClusteredCore(const PageKind& kind) {
  const bool is_pure = kind.recipe->is_pure();
#if HWY_TARGET != HWY_AVX3_DL
  if (kind.depth == Depth::k8) {
    return SpreadCore<Clustered, Pixels::kRecords>(is_pure);
  }
#endif
  return SpreadCore<Clustered, Pixels::kAny>(is_pure);
}

Core ClassicCore(const PageKind& kind) {
  if (kind.recipe->has_runs()) {
    return MakeSpreadCore<Classic<1, true>, Pixels::kAny>();
  }
  const int bits = kind.recipe->levels().bits_per_sample;
  if (bits == 2) return MakeSpreadCore<Classic<2>, Pixels::kAny>();
  if (bits == 4) return MakeSpreadCore<Classic<4>, Pixels::kAny>();
  return MakeSpreadCore<Classic<1>, Pixels::kAny>();
}

std::span<const CoreEntry> SpreadingCores() {
  static constexpr CoreEntry kEntries[] = {
      {{Algorithm::kFine, 4}, &kFineLine, FineCore},
      {{Algorithm::kClustered, 3}, &kClusteredLine, ClusteredCore},
      {{Algorithm::kJarvis, 1}, &kClassicLine, ClassicCore},
      {{Algorithm::kStucki, 1}, &kClassicLine, ClassicCore},
      {{Algorithm::kBurkes, 1}, &kClassicLine, ClassicCore},
      {{Algorithm::kSierra, 1}, &kClassicLine, ClassicCore},
      {{Algorithm::kAtkinson, 1}, &kClassicLine, ClassicCore},
      {{Algorithm::kFalseFloydSteinberg, 1}, &kClassicLine, ClassicCore},
  };
  return kEntries;
}

}  // namespace HWY_NAMESPACE
}  // namespace halftoned::simd
HWY_AFTER_NAMESPACE();

#endif  // HALFTONED_HALFTONE_CPU_SIMD_SPREAD_SPREAD_TABLE_INL_H_
