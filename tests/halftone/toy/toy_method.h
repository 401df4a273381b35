// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A method that only the definition knows. A program that is linked with
// toy_method.cc has it beside the shipped ones.

#pragma once

#include "halftone/page/recipe.h"

namespace halftoned::testing {

// The last number that the kinds of a worker have a bit for.
inline constexpr MethodId kToy = {Algorithm{15}, 3};

Recipe ToyRecipe(bool is_pure = false);

}  // namespace halftoned::testing
