// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How prints look, once all settings are known: the look with which the filter
// halftones pages, and which a preview shows.

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

// The correction for the printer's dots, with a recipe of these parts: the
// measured curve, the curve of the dot gain, or that of a typical printer.
// dots_per_inch: above 0; the mean of both directions.
Result<ToneCurve> PrintersCorrection(const PrintLook& print,
                                     const Recipe::Parts& parts,
                                     double dots_per_inch);

// The recipe for a page of this resolution. is_black_solid: the renderer maps
// CMYK black to 0 on this page; otherwise, to the same gray as Ghostscript.
// parts: without a curve.
Result<Recipe> RecipeOfPrint(const PrintLook& print, Recipe::Parts parts,
                             double dots_per_inch, bool is_black_solid);

}  // namespace halftoned
