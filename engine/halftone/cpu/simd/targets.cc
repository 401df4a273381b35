// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles the cores of Floyd–Steinberg once for each target, and lists all
// targets.

#include "halftone/cpu/simd/disabled_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "halftone/cpu/simd/targets.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#if HWY_TARGET & HALFTONED_CORE_TARGETS
#include "halftone/cpu/simd/floyd_steinberg/core_table-inl.h"
#endif

#if HWY_ONCE

#include "halftone/cpu/simd/core.h"
#include "halftone/cpu/simd/spread/spread_targets.h"

namespace halftoned::simd {
namespace {

#if HWY_ARCH_X86

// The CPU features that code for each target may use.
[[maybe_unused]] bool HasAvx512() {
  return __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vbmi") &&
         __builtin_cpu_supports("avx512vbmi2") &&
         __builtin_cpu_supports("avx512bitalg") &&
         __builtin_cpu_supports("avx512vpopcntdq") &&
         __builtin_cpu_supports("gfni") && __builtin_cpu_supports("bmi2") &&
         __builtin_cpu_supports("fma");
}

[[maybe_unused]] bool HasAvx2() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
         __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
}

[[maybe_unused]] bool HasSsse3() { return __builtin_cpu_supports("ssse3"); }

#else

bool Always() { return true; }

#endif

constexpr Target kTargets[] = {
#if HWY_TARGETS & HWY_AVX3_DL
    {"avx512", "AVX-512 with VBMI2, BITALG and GFNI (Ice Lake, Zen 4)", 100,
     HasAvx512, N_AVX3_DL::kVectors, N_AVX3_DL::kLanes,
     N_AVX3_DL::CollectingCores, SpreadingCoresOfAvx512},
#endif
#if HWY_TARGETS & HWY_AVX2
    {"avx2", "AVX2, BMI2 and FMA (Haswell, Zen)", 80, HasAvx2, N_AVX2::kVectors,
     N_AVX2::kLanes, N_AVX2::CollectingCores, SpreadingCoresOfAvx2},
#endif
#if HWY_TARGETS & HWY_SSSE3
    {"ssse3", "SSSE3 (Core 2, Bulldozer)", 60, HasSsse3, N_SSSE3::kVectors,
     N_SSSE3::kLanes, N_SSSE3::CollectingCores, SpreadingCoresOfSsse3},
#endif
#if HWY_TARGETS & HWY_NEON
    {"neon", "64-bit Arm", 80, Always, N_NEON::kVectors, N_NEON::kLanes,
     N_NEON::CollectingCores, SpreadingCoresOfNeon},
#endif
#if HWY_TARGETS & HWY_WASM
    {"wasm", "WebAssembly with 128-bit SIMD", 80, Always, N_WASM::kVectors,
     N_WASM::kLanes, N_WASM::CollectingCores, SpreadingCoresOfWasm},
#endif
};

}  // namespace

std::span<const Target> Targets() { return kTargets; }

}  // namespace halftoned::simd

#endif  // HWY_ONCE
