// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How prints are to look, once all settings are known: what the filter
// halftones pages with, and what a preview shows.

#pragma once

#include <optional>

#include "base/result.h"
#include "halftone/look/settings.h"
#include "halftone/page/recipe.h"

namespace halftoned {

struct PrintLook {
  Look look = DefaultLookOfPrints();
  bool has_dot_gain = false;          // else it follows from the technology
  bool has_black_point = false;       // else it follows from the page
  std::optional<ToneCurve> measured;  // in place of dot gain
};

// What makes up for the printer's dots, with a recipe of these parts: the
// measured curve, the curve of the dot gain, or that of a typical printer.
// dots_per_inch: above 0; the mean of both directions.
Result<ToneCurve> PrintersCorrection(const PrintLook& print,
                                     const Recipe::Parts& parts,
                                     double dots_per_inch);

// The recipe of a page of this resolution. `is_black_solid`: the black of CMYK
// is 0 on this page, as the renderer left it; else it is what Ghostscript makes
// of it. parts: without a curve.
Result<Recipe> RecipeOfPrint(const PrintLook& print, Recipe::Parts parts,
                             double dots_per_inch, bool is_black_solid);

}  // namespace halftoned
