// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/page/method.h"

namespace halftoned {

std::span<const Method> Methods() { return ShippedMethods(); }

}  // namespace halftoned
