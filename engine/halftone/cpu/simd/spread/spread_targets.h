// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cores of recipes that spread errors (spread_core-inl.h), of each target.

#pragma once

#include "halftone/cpu/simd/core.h"

namespace halftoned::simd {

// Defined where Highway compiles for the target.
std::span<const CoreEntry> SpreadingCoresOfAvx512();
std::span<const CoreEntry> SpreadingCoresOfAvx2();
std::span<const CoreEntry> SpreadingCoresOfSsse3();
std::span<const CoreEntry> SpreadingCoresOfNeon();
std::span<const CoreEntry> SpreadingCoresOfWasm();

}  // namespace halftoned::simd
