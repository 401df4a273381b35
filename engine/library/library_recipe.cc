// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ht_version, and the functions of ht_recipe.

#include <optional>

#include "halftone/page/method.h"
#include "halftone/page/page.h"
#include "library/answer.h"
#include "library/handles.h"

using halftoned::Result;

#define HALFTONED_TEXT_INNER(value) #value
#define HALFTONED_TEXT(value) HALFTONED_TEXT_INNER(value)

const char* ht_version() {
  return HALFTONED_TEXT(HT_VERSION_MAJOR) "." HALFTONED_TEXT(
      HT_VERSION_MINOR) "." HALFTONED_TEXT(HT_VERSION_PATCH);
}

ht_status ht_recipe_new(const char* options, const char* tone_curve,
                        ht_recipe** recipe, ht_error* error) {
  return halftoned::Answer(error, [&]() -> Result<void> {
    if (!recipe) return halftoned::Bug("the pointer to the recipe is null");
    std::optional<halftoned::ToneCurve> measured;
    if (tone_curve) {
      const auto curve = halftoned::ToneCurve::Parse(tone_curve);
      if (!curve.ok()) {
        return halftoned::Error{curve.error().code,
                                "tone curve: " + curve.error().message};
      }
      measured = *curve;
    }
    HALFTONED_TRY_ASSIGN(
        const halftoned::PageRecipe resolved,
        halftoned::RecipeOfOptions(options ? options : "", measured));
    *recipe = new ht_recipe{resolved};
    return {};
  });
}

void ht_recipe_free(ht_recipe* recipe) { delete recipe; }

const char* ht_recipe_type(const ht_recipe* recipe) {
  // Names of methods are string literals.
  return recipe->page.recipe.name().data();
}

int ht_recipe_type_version(const ht_recipe* recipe) {
  return recipe->page.recipe.method().version;
}

int ht_recipe_levels(const ht_recipe* recipe) {
  return recipe->page.recipe.levels().count;
}

int ht_recipe_bits_per_sample(const ht_recipe* recipe) {
  return recipe->page.recipe.levels().bits_per_sample;
}

size_t ht_recipe_row_bytes(const ht_recipe* recipe, int32_t width) {
  if (width < 1 || width > halftoned::Page::kMaxWidth) return 0;
  return recipe->page.recipe.bit_bytes_per_row(width);
}
