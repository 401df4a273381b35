// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/gpu/host/session/states.h"

#include "halftone/gpu/common/tone.h"

namespace halftoned::cuda {

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
