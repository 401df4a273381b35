// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One target's cores of recipes that spread errors.

#if defined(HALFTONED_HALFTONE_SIMD_SPREAD_TABLE_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef HALFTONED_HALFTONE_SIMD_SPREAD_TABLE_INL_H_
#undef HALFTONED_HALFTONE_SIMD_SPREAD_TABLE_INL_H_
#else
#define HALFTONED_HALFTONE_SIMD_SPREAD_TABLE_INL_H_
#endif

#include "halftone/simd/fine-inl.h"
#include "halftone/simd/neighbours-inl.h"
#include "halftone/simd/spread_core-inl.h"

HALFTONED_BEFORE_NAMESPACE();
namespace halftoned::simd {
namespace HWY_NAMESPACE {

template <template <bool> class Method>
Core SpreadCore(bool is_pure) {
  return is_pure ? MakeSpreadCore<Method<true>>()
                 : MakeSpreadCore<Method<false>>();
}

Core SpreadCoreFor(const PageKind& kind) {
  const bool is_pure = kind.recipe->is_pure();
  const Algorithm algorithm = kind.recipe->algorithm();
  if (algorithm == Algorithm::kFine) return SpreadCore<Fine>(is_pure);
  if (algorithm == Algorithm::kClustered) return SpreadCore<Clustered>(is_pure);
  return SpreadCore<PrinterModel>(is_pure);
}

}  // namespace HWY_NAMESPACE
}  // namespace halftoned::simd
HWY_AFTER_NAMESPACE();

#endif  // HALFTONED_HALFTONE_SIMD_SPREAD_TABLE_INL_H_
