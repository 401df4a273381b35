// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The targets that cores are compiled for; to be included before Highway.

#ifndef HALFTONED_HALFTONE_SIMD_DISABLED_TARGETS_H_
#define HALFTONED_HALFTONE_SIMD_DISABLED_TARGETS_H_

// SSE4 has nothing that this needs, and AVX-512 without VBMI is not faster than
// AVX2. SVE has vectors of unknown length, which arrays cannot hold.
#define HWY_DISABLED_TARGETS \
  (HWY_SSE4 | HWY_AVX3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#define HWY_WANT_AVX3_DL

#endif  // HALFTONED_HALFTONE_SIMD_DISABLED_TARGETS_H_
