// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles the vectors of the recipe `palette` once for each target, and lists
// all engines.

#include "halftone/cpu/simd/disabled_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "halftone/palette/palette_targets.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#if HWY_TARGET & HALFTONED_CORE_TARGETS
#include "halftone/palette/palette_wave-inl.h"
#endif

#if HWY_ONCE

#include "halftone/cpu/simd/core.h"
#include "halftone/palette/palette_job.h"

namespace halftoned {
namespace {

struct PaletteChoice {
  std::string_view target;
  PaletteKernel kernel;
};

constexpr PaletteChoice kChoices[] = {
#if HWY_TARGETS & HWY_AVX3_DL
    {"avx512", simd::N_AVX3_DL::PaletteByVectors},
#endif
#if HWY_TARGETS & HWY_AVX2
    {"avx2", simd::N_AVX2::PaletteByVectors},
#endif
#if HWY_TARGETS & HWY_SSSE3
    {"ssse3", simd::N_SSSE3::PaletteByVectors},
#endif
#if HWY_TARGETS & HWY_NEON
    {"neon", simd::N_NEON::PaletteByVectors},
#endif
#if HWY_TARGETS & HWY_WASM
    {"wasm", simd::N_WASM::PaletteByVectors},
#endif
};

}  // namespace

std::vector<PaletteEngine> PaletteEngines() {
  std::vector<PaletteEngine> engines;
  for (const PaletteChoice& choice : kChoices) {
    for (const simd::Target& target : simd::Targets()) {
      if (target.name != choice.target) continue;
      engines.push_back({target.name, target.runs_here, choice.kernel});
    }
  }
  engines.push_back({"scalar", [] { return true; }, PaletteByDefinition});
  return engines;
}

}  // namespace halftoned

#endif  // HWY_ONCE
