// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a job's pages must look, resolved from all sources of settings
// (setting_sources.h). halftone/look/settings.h lists the settings.

#pragma once

#include "base/result.h"
#include "config/tone_check.h"
#include "halftone/look/print_look.h"
#include "halftone/look/tones/screen_cells.h"
#include "halftone/page/recipe.h"
#include "print/settings/setting_sources.h"

namespace halftoned {

struct Rendering : PrintLook {
  Recipe::Parts parts;  // all but the curve, and the cells of a screen

  // See RecipeOfPrint (print_look.h).
  Result<Recipe> RecipeAt(const DotsPerInch& resolution,
                          bool is_black_solid) const;
};

// `has_two_levels`: the output has no more than two: PWG raster, or pixels of
// pure black and white.
Result<Rendering> ResolveRendering(SettingSources& sources, bool has_two_levels,
                                   const ReadText& read_text);

}  // namespace halftoned
