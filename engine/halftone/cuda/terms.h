// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between the engine's types and the kernel's numbers: curves and terms,
// errors and states.

#ifndef HALFTONED_HALFTONE_CUDA_TERMS_H_
#define HALFTONED_HALFTONE_CUDA_TERMS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "halftone/page.h"
#include "halftone/tone_curve.h"

namespace halftoned::cuda {

// The table that BandJob::tone points to.
std::vector<int32_t> TermsOf(const ToneCurve& curve, Depth depth);

// States of a row's errors, and errors of a row's states.
void StatesOf(std::span<const int16_t> errors, uint16_t* states);
void ErrorsOf(const uint16_t* states, std::span<int16_t> errors);

}  // namespace halftoned::cuda

#endif  // HALFTONED_HALFTONE_CUDA_TERMS_H_
