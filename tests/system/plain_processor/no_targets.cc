// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In the place of simd/targets.cc: a processor that none of the vector engines
// runs on.

#include "halftone/cpu/simd/core.h"

namespace halftoned::simd {

std::span<const Target> Targets() { return {}; }

}  // namespace halftoned::simd
