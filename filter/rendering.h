// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a job's pages are to look: the type of halftone, the tones and the edges
// of text, resolved from everybody who has a say (voices.h). A setting NAME is
//
//   job option      halftone-NAME, and NAME alone where no other filter of CUPS
//                   has such an option: dot-gain, black-point, toner-save,
//                   text-edges
//   PPD file        halftonedName, attribute or option
//   halftoned.conf  NAME, in [queue.X] and [filter]
//
//   type          as cupsHalftoneType in PPD files and halftone-type in
//                 halftoned.conf: a name of halftone_type.h
//   cluster-size, dot-diameter
//                 numbers of kTypeNumbers
//   levels        2, 4, 8 or 16; in front of a driver the PPD file's, or 2
//   black-point, contrast, brightness, gamma, toner-save, dot-gain
//                 numbers of kToneNumbers (tone.h)
//   tone-curve    a measured curve's file, in place of dot-gain; not a job's
//                 to say
//   technology    laser, inkjet or thermal; not a job's to say
//   text-edges    crisp or off

#ifndef HALFTONED_FILTER_RENDERING_H_
#define HALFTONED_FILTER_RENDERING_H_

#include <optional>
#include <string>

#include "base/result.h"
#include "config/tone_check.h"
#include "filter/voices.h"
#include "halftone/recipe.h"
#include "halftone/tone.h"

namespace halftoned {

struct Rendering {
  Recipe::Parts parts;  // but the curve
  Tone tone{.black_point = kRenderersBlackPoint};
  bool has_dot_gain = false;  // tone has it; else it follows from technology
  Technology technology = Technology::kLaser;
  std::optional<ToneCurve> measured;  // in place of dot gain
  bool crisp_edges = true;

  // The recipe of a page of this resolution, the mean of both directions.
  Result<Recipe> RecipeAt(double dots_per_inch) const;
};

// `is_pwg`: what is written is PWG raster, which has two levels.
Result<Rendering> ResolveRendering(Voices& voices, bool is_pwg,
                                   const ReadText& read_text);

}  // namespace halftoned

#endif  // HALFTONED_FILTER_RENDERING_H_
