// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tones of a page: what is wished of them, and what a printer's dots do to
// them. Both become one tone curve.
// The formulas are in tone.cc.

#ifndef HALFTONED_HALFTONE_LOOK_TONE_H_
#define HALFTONED_HALFTONE_LOOK_TONE_H_

#include "base/result.h"
#include "halftone/look/settings.h"
#include "halftone/page/tone_curve.h"

namespace halftoned {

// Refuses a number that is out of its range.
Result<ToneCurve> CurveOf(const Tone& tone);

// Percent, for printers that nobody has measured. An edge grows by so many
// micrometres whatever the resolution, so dots gain more where they are small.
// dots_per_inch: above 0; the mean of both directions.
double DefaultDotGain(Technology technology, double dots_per_inch);

}  // namespace halftoned

#endif  // HALFTONED_HALFTONE_LOOK_TONE_H_
