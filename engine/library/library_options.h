// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recipes from strings of options, as halftone.h describes them. Names and
// values come from the table of settings.

#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "halftone/look/settings.h"
#include "halftone/page/recipe.h"
#include "halftone/page/tone_curve.h"

namespace halftoned {

struct PageRecipe {
  Recipe recipe;
  TextEdges text_edges;

  bool has_crisp_edges() const { return text_edges != TextEdges::kOff; }
};

// kBadInput names the option that is wrong. measured: the printer's curve.
Result<PageRecipe> RecipeOfOptions(std::string_view options,
                                   const std::optional<ToneCurve>& measured);

}  // namespace halftoned
