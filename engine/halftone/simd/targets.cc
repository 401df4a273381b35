// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles the cores once for each target.

// SSE4 has nothing that this needs, and AVX-512 without VBMI is not faster than
// AVX2.
#define HWY_DISABLED_TARGETS (HWY_SSE4 | HWY_AVX3)
#define HWY_WANT_AVX3_DL

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "halftone/simd/targets.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#if HWY_TARGET != HWY_SCALAR
#include "halftone/simd/core_table-inl.h"
#endif

#if HWY_ONCE

#include "halftone/simd/core.h"
#include "hwy/targets.h"

namespace halftoned::simd {
namespace {

template <int64_t target>
bool Supports() {
  return (hwy::SupportedTargets() & target) != 0;
}

constexpr Target kTargets[] = {
#if HWY_TARGETS & HWY_AVX3_DL
    {"avx512", "AVX-512 with VBMI2, BITALG and GFNI (Ice Lake, Zen 4)", 100,
     [] { return Supports<HWY_AVX3_DL>() && __builtin_cpu_supports("gfni"); },
     32, N_AVX3_DL::CoreFor},
#endif
#if HWY_TARGETS & HWY_AVX2
    {"avx2", "AVX2, BMI2 and FMA (Haswell, Zen)", 80, Supports<HWY_AVX2>, 16,
     N_AVX2::CoreFor},
#endif
#if HWY_TARGETS & HWY_SSSE3
    {"ssse3", "SSSE3", 60, Supports<HWY_SSSE3>, 8, N_SSSE3::CoreFor},
#endif
#if HWY_TARGETS & HWY_NEON
    {"neon", "Arm NEON with AES", 80, Supports<HWY_NEON>, 8, N_NEON::CoreFor},
#endif
};

}  // namespace

std::span<const Target> Targets() { return kTargets; }

}  // namespace halftoned::simd

#endif  // HWY_ONCE
