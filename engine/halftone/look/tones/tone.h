// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tones of a page: the user's settings and the correction for the printer's
// dots, combined into one tone curve. The formulas are in tone.cc.

#pragma once

#include "base/result.h"
#include "halftone/look/settings.h"
#include "halftone/page/tone_curve.h"

namespace halftoned {

// Refuses a number that is out of its range.
Result<ToneCurve> CurveOf(const Tone& tone);

// The correction for a printer that has not been measured. Edges grow by the
// same number of micrometers at every resolution, so small dots gain more.
// dots_per_inch: above 0; the mean of both directions. has_feedback: the dots
// have print feedback, or form no checkerboards anyway.
Result<ToneCurve> TypicalCurve(Technology technology, double dots_per_inch,
                               bool has_feedback = false);

// How much the dots of such a printer darken the middle tone, in percent.
double TypicalDotGain(Technology technology, double dots_per_inch);

// The light that a print should reflect, 0 (its black) … 1 (its paper), for an
// sGray code, 0 … 1. With the aim `display`, the tones of a print look as they
// do on a display, between the black and the paper of the print: relative
// colorimetry with black point compensation in XYZ, as in ISO 18619.
double LightAimedAt(double code);

// The lightness of sGray, 0 … 100. code: 0 … 1.
double LightnessOfDisplay(double code);

}  // namespace halftoned
