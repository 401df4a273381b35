// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a job's pages are to look, resolved from all sources of settings
// (setting_sources.h). halftone/look/settings.h lists the settings.

#ifndef HALFTONED_FILTER_RENDERING_H_
#define HALFTONED_FILTER_RENDERING_H_

#include <optional>

#include "base/result.h"
#include "config/tone_check.h"
#include "filter/setting_sources.h"
#include "halftone/look/screen_cells.h"
#include "halftone/look/settings.h"
#include "halftone/page/recipe.h"

namespace halftoned {

struct Rendering {
  Recipe::Parts parts;  // but the curve, and the cells of a screen
  Look look = DefaultLookOfPrints();
  bool has_dot_gain = false;          // else it follows from the technology
  bool has_black_point = false;       // else it follows from the page
  std::optional<ToneCurve> measured;  // in place of dot gain

  // The recipe of a page of this resolution. `is_black_solid`: the black of
  // CMYK is 0 on this page, as the renderer left it; else it is what
  // Ghostscript makes of it.
  Result<Recipe> RecipeAt(const DotsPerInch& resolution,
                          bool is_black_solid) const;
};

// `is_pwg`: what is written is PWG raster, which has two levels.
Result<Rendering> ResolveRendering(SettingSources& sources, bool is_pwg,
                                   const ReadText& read_text);

}  // namespace halftoned

#endif  // HALFTONED_FILTER_RENDERING_H_
