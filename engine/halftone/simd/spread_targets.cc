// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles the cores of recipes that spread errors once for each target.

#include "halftone/simd/spread_targets.h"

#include "halftone/simd/disabled_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "halftone/simd/spread_targets.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#if HWY_TARGET != HWY_SCALAR
#include "halftone/simd/spread_table-inl.h"
#endif

#if HWY_ONCE

namespace halftoned::simd {

#if HWY_TARGETS & HWY_AVX3_DL
Core SpreadCoreOfAvx512(const PageKind& kind) {
  return N_AVX3_DL::SpreadCoreFor(kind);
}
#endif
#if HWY_TARGETS & HWY_AVX2
Core SpreadCoreOfAvx2(const PageKind& kind) {
  return N_AVX2::SpreadCoreFor(kind);
}
#endif
#if HWY_TARGETS & HWY_SSSE3
Core SpreadCoreOfSsse3(const PageKind& kind) {
  return N_SSSE3::SpreadCoreFor(kind);
}
#endif
#if HWY_TARGETS & HWY_NEON
Core SpreadCoreOfNeon(const PageKind& kind) {
  return N_NEON::SpreadCoreFor(kind);
}
#endif

}  // namespace halftoned::simd

#endif  // HWY_ONCE
