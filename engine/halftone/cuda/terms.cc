// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/cuda/terms.h"

#include "halftone/cuda/tone.h"

namespace halftoned::cuda {

static_assert(kTermsOf16 == kWhite + 1);

std::vector<int32_t> TermsOf(const ToneCurve& curve, Depth depth) {
  std::vector<int32_t> terms;
  if (depth == Depth::k8) {
    for (int a = 0; a < kTermsOf8; ++a) {
      terms.push_back(TermOf(curve.At8(static_cast<uint8_t>(a))));
    }
  } else {
    for (uint16_t value : curve.table()) terms.push_back(TermOf(value));
  }
  return terms;
}

void StatesOf(std::span<const int16_t> errors, uint16_t* states) {
  for (size_t j = 0; j < errors.size(); ++j) {
    states[j] = static_cast<uint16_t>(kStateOutside - errors[j]);
  }
}

void ErrorsOf(const uint16_t* states, std::span<int16_t> errors) {
  for (size_t j = 0; j < errors.size(); ++j) {
    errors[j] = static_cast<int16_t>(kStateOutside - states[j]);
  }
}

}  // namespace halftoned::cuda
