// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/worker/recipe_kinds.h"

#include "halftone/look/halftone_type.h"
#include "halftone/page/print_feedback.h"

namespace halftoned::daemon {
namespace {

// With the default parameters of its type.
Result<Recipe> RecipeOfKind(uint32_t kind) {
  const bool is_best_on_paper = kind == kKindOfBestOnPaper;
  HalftoneType type;
  type.algorithm =
      is_best_on_paper ? Algorithm::kBest : static_cast<Algorithm>(kind / 2);
  HALFTONED_TRY_ASSIGN(Recipe::Parts parts, PartsOf(type, 2));
  parts.parameters[Recipe::kPure] = static_cast<int32_t>(kind % 2);
  if (is_best_on_paper) parts.parameters[Recipe::kFeedback] = kFullFeedback;
  return Recipe::Make(parts);
}

}  // namespace

uint32_t KindsServedBy(const EngineList& engines) {
  uint32_t kinds = 0;
  for (uint32_t kind = 0; kind < 32; ++kind) {
    const auto recipe = RecipeOfKind(kind);
    if (!recipe.ok()) continue;  // there is no such kind
    if (ChooseEngine(engines, "auto", *recipe).ok()) kinds |= 1u << kind;
  }
  return kinds;
}

}  // namespace halftoned::daemon
