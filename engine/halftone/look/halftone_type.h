// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Halftone types as users choose them, resolved to a recipe's numbers.

#pragma once

#include <optional>

#include "base/result.h"
#include "halftone/look/settings.h"
#include "halftone/look/tones/screen_cells.h"
#include "halftone/page/recipe.h"

namespace halftoned {

// The meaning of "auto". Single dots of 1/1200 inch vanish on some lasers and
// grow on others; the dots of a screen change less
// (docs/measurements/tones.md). Runs of several pixels need a type that has
// them.
Algorithm AutomaticType(const HalftoneType& type,
                        const DotsPerInch& resolution);

// A recipe without its curve, for a page of this resolution, on which "auto"
// and the cells of a screen depend. With crisp edges of text, pure pixels are
// printed as they are, unless runs have a minimum length. Refuses numbers out
// of range; Recipe::Make checks the levels, and whether the type has runs.
Result<Recipe::Parts> PartsOf(const HalftoneType& type, int levels,
                              bool crisp_edges = false,
                              const DotsPerInch& resolution = {});

// The dot gain of the recipe's dots, as a share of that of single dots, 0 … 1.
double ShareOfDotGain(const Recipe::Parts& parts);

// The correction for a printer that has not been measured. Clusters grow like
// single dots of a lower resolution. dots_per_inch: above 0; the mean of both
// directions.
Result<ToneCurve> TypicalCurveFor(const Recipe::Parts& parts,
                                  Technology technology, double dots_per_inch);

// The curve for a recipe with these parts: the requested tones and the recipe's
// share of the dot gain of single dots. A measured or typical curve is applied
// last and replaces the dot gain; a recipe whose share is 0 ignores it. A
// recipe without tints ignores the tone aim too.
Result<ToneCurve> CurveFor(const Recipe::Parts& parts, const Tone& tone,
                           const std::optional<ToneCurve>& measured);

}  // namespace halftoned
