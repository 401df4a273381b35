// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles the cores of recipes that spread errors once for each target.

#include "halftone/cpu/simd/spread/spread_targets.h"

#include "halftone/cpu/simd/disabled_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "halftone/cpu/simd/spread/spread_targets.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#if HWY_TARGET & HALFTONED_CORE_TARGETS
#include "halftone/cpu/simd/spread/spread_table-inl.h"
#endif

#if HWY_ONCE

namespace halftoned::simd {

#if HWY_TARGETS & HWY_AVX3_DL
std::span<const CoreEntry> SpreadingCoresOfAvx512() {
  return N_AVX3_DL::SpreadingCores();
}
#endif
#if HWY_TARGETS & HWY_AVX2
std::span<const CoreEntry> SpreadingCoresOfAvx2() {
  return N_AVX2::SpreadingCores();
}
#endif
#if HWY_TARGETS & HWY_SSSE3
std::span<const CoreEntry> SpreadingCoresOfSsse3() {
  return N_SSSE3::SpreadingCores();
}
#endif
#if HWY_TARGETS & HWY_NEON
std::span<const CoreEntry> SpreadingCoresOfNeon() {
  return N_NEON::SpreadingCores();
}
#endif
#if HWY_TARGETS & HWY_WASM
std::span<const CoreEntry> SpreadingCoresOfWasm() {
  return N_WASM::SpreadingCores();
}
#endif

}  // namespace halftoned::simd

#endif  // HWY_ONCE
