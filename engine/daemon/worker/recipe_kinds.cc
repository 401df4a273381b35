// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/worker/recipe_kinds.h"

#include "halftone/look/halftone_type.h"

namespace halftoned::daemon {
namespace {

// A recipe of this kind with the default parameters of its type.
Result<Recipe> RecipeOfKind(uint32_t kind) {
  HalftoneType type;
  type.algorithm = static_cast<Algorithm>(kind % (kKinds / 2) / 2);
  HALFTONED_TRY_ASSIGN(Recipe::Parts parts,
                       PartsOf(type, kind < kKinds / 2 ? 2 : 4));
  parts.parameters[Recipe::kPure] = static_cast<int32_t>(kind % 2);
  return Recipe::Make(parts);
}

}  // namespace

uint64_t KindsServedBy(const EngineList& engines) {
  uint64_t kinds = 0;
  for (uint32_t kind = 0; kind < kKinds; ++kind) {
    const auto recipe = RecipeOfKind(kind);
    if (!recipe.ok()) continue;  // there is no such kind
    const bool is_served = ChooseEngine(engines, "auto", *recipe).ok();
    kinds |= uint64_t{is_served} << kind;
  }
  return kinds;
}

}  // namespace halftoned::daemon
