// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/print_look.h"

#include "halftone/look/halftone_type.h"
#include "halftone/look/tones/tone.h"

namespace halftoned {

Result<ToneCurve> PrintersCorrection(const PrintLook& print,
                                     const Recipe::Parts& parts,
                                     double dots_per_inch) {
  const double share = ShareOfDotGain(parts);
  if (share == 0) return ToneCurve();
  if (print.measured) return *print.measured;
  if (print.has_dot_gain) {
    return CurveOf({.dot_gain = share * print.look.dot_gain});
  }
  return TypicalCurveFor(parts, print.look.technology, dots_per_inch);
}

Result<Recipe> RecipeOfPrint(const PrintLook& print, Recipe::Parts parts,
                             double dots_per_inch, bool is_black_solid) {
  std::optional<ToneCurve> correction = print.measured;
  if (!correction && !print.has_dot_gain) {
    HALFTONED_TRY_ASSIGN(
        correction,
        TypicalCurveFor(parts, print.look.technology, dots_per_inch));
  }
  Look of_page = print.look;
  if (is_black_solid && !print.has_black_point) of_page.black_point = 0;
  HALFTONED_TRY_ASSIGN(parts.curve, CurveFor(parts, of_page, correction));
  return Recipe::Make(parts);
}

}  // namespace halftoned
