// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/cpu/scalar.h"

namespace halftoned {

std::span<const KernelEntry> Definitions() { return ShippedDefinitions(); }

}  // namespace halftoned
