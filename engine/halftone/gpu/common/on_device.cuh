// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A host's constant, Constant::kValue, in a device's memory. nvcc would name a
// device's own variable outside a function after the folder of the source, and
// programs that are built in two folders would differ.

#pragma once

namespace halftoned::cuda {

template <typename Constant>
__device__ const auto& OnDevice() {
  static __device__ constexpr auto copy = Constant::kValue;
  return copy;
}

}  // namespace halftoned::cuda
