// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels without vectors of their own, and the tables of the engines that
// consist of them.

#pragma once

#include "halftone/cpu/kernel.h"

namespace halftoned {

// The definition of the bits, in plain loops. Every other engine is compared
// with it; it is written to be read, not to be fast. Precondition: the recipe's
// method is defined.
void HalftoneByDefinition(const KernelJob& job);

// The defined methods. This is the only function in its file, so that a test
// program can be linked with an additional definition.
std::span<const KernelEntry> Definitions();

// The definitions that are shipped.
std::span<const KernelEntry> ShippedDefinitions();

}  // namespace halftoned
