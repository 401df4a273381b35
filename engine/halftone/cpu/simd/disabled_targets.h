// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The targets that cores are compiled for. Include it before Highway.

#pragma once

// Highway after 1.0.3 has two more NEON targets, one without AES and one with
// bfloat16, which would change nothing here. These are their bits, since 1.0.3
// does not have their names.
#define HALFTONED_OTHER_NEON (1LL << 29 | 1LL << 26)

// The cores use nothing from SSE4, and AVX-512 without VBMI is not faster than
// AVX2. SVE vectors have no fixed length, so arrays cannot hold them.
#define HWY_DISABLED_TARGETS                                               \
  (HWY_SSE4 | HWY_AVX3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | \
   HALFTONED_OTHER_NEON)
#define HWY_WANT_AVX3_DL

// The targets with cores among those that are left. Highway adds one that every
// processor runs: with some compilers an emulation of vectors, which takes them
// minutes and which nothing would call.
#define HALFTONED_CORE_TARGETS \
  (HWY_AVX3_DL | HWY_AVX2 | HWY_SSSE3 | HWY_NEON | HWY_WASM)
