// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between errors, as a carry has them, and the states of the kernel that
// collects them.

#ifndef HALFTONED_HALFTONE_GPU_HOST_SESSION_STATES_H_
#define HALFTONED_HALFTONE_GPU_HOST_SESSION_STATES_H_

#include <cstdint>
#include <span>

namespace halftoned::cuda {

// States of a row's errors, and errors of a row's states.
void StatesOf(std::span<const int16_t> errors, uint16_t* states);
void ErrorsOf(const uint16_t* states, std::span<int16_t> errors);

}  // namespace halftoned::cuda

#endif  // HALFTONED_HALFTONE_GPU_HOST_SESSION_STATES_H_
