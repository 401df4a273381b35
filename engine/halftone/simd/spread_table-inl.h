// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One target's cores of recipes that spread errors. What is printed most,
// `fine` from 8 bits, has code of its own for what the pixels are; the rest
// shares code that asks at run time.

#if defined(HALFTONED_HALFTONE_SIMD_SPREAD_TABLE_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef HALFTONED_HALFTONE_SIMD_SPREAD_TABLE_INL_H_
#undef HALFTONED_HALFTONE_SIMD_SPREAD_TABLE_INL_H_
#else
#define HALFTONED_HALFTONE_SIMD_SPREAD_TABLE_INL_H_
#endif

#include "halftone/simd/clustered-inl.h"
#include "halftone/simd/fine-inl.h"
#include "halftone/simd/printer_model-inl.h"
#include "halftone/simd/spread_core-inl.h"

HALFTONED_BEFORE_NAMESPACE();
namespace halftoned::simd {
namespace HWY_NAMESPACE {

template <template <bool> class Method, Pixels pixels>
Core SpreadCore(bool is_pure) {
  return is_pure ? MakeSpreadCore<Method<true>, pixels>()
                 : MakeSpreadCore<Method<false>, pixels>();
}

Core SpreadCoreFor(const PageKind& kind) {
  const bool is_pure = kind.recipe->is_pure();
  const Algorithm algorithm = kind.recipe->algorithm();
  if (algorithm == Algorithm::kClustered) {
    return SpreadCore<Clustered, Pixels::kAny>(is_pure);
  }
  if (algorithm == Algorithm::kPrinterModel) {
    return SpreadCore<PrinterModel, Pixels::kAny>(is_pure);
  }
  if (kind.depth == Depth::k16) return SpreadCore<Fine, Pixels::kAny>(is_pure);
  return kind.is_curved ? SpreadCore<Fine, Pixels::kCurvedBytes>(is_pure)
                        : SpreadCore<Fine, Pixels::kBytes>(is_pure);
}

}  // namespace HWY_NAMESPACE
}  // namespace halftoned::simd
HWY_AFTER_NAMESPACE();

#endif  // HALFTONED_HALFTONE_SIMD_SPREAD_TABLE_INL_H_
