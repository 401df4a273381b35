// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/cpu/simd/swap/swap_targets.h"

#include "halftone/cpu/simd/disabled_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "halftone/cpu/simd/swap/swap_targets.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#if HWY_TARGET & HALFTONED_CORE_TARGETS
#include "halftone/cpu/simd/swap/swap-inl.h"
#endif

#if HWY_ONCE

namespace halftoned::simd {
namespace {

struct Entry {
  std::string_view target;
  SwapKernel swap;
};

constexpr Entry kEntries[] = {
#if HWY_TARGETS & HWY_AVX3_DL
    {"avx512", N_AVX3_DL::SwapBlocks},
#endif
#if HWY_TARGETS & HWY_AVX2
    {"avx2", N_AVX2::SwapBlocks},
#endif
#if HWY_TARGETS & HWY_SSSE3
    {"ssse3", N_SSSE3::SwapBlocks},
#endif
#if HWY_TARGETS & HWY_NEON
    {"neon", N_NEON::SwapBlocks},
#endif
#if HWY_TARGETS & HWY_WASM
    {"wasm", N_WASM::SwapBlocks},
#endif
};

}  // namespace

SwapKernel SwapsOf(std::string_view target) {
  for (const Entry& entry : kEntries) {
    if (entry.target == target) return entry.swap;
  }
  return nullptr;
}

}  // namespace halftoned::simd

#endif  // HWY_ONCE
