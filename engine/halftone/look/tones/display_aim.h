// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The aim `display`: a print's tones look as on a display, between the black
// and the paper of the print. This is relative colorimetry with black point
// compensation in XYZ, as ISO 18619 has it; tone.cc has it among the formulas.

#ifndef HALFTONED_HALFTONE_LOOK_TONES_DISPLAY_AIM_H_
#define HALFTONED_HALFTONE_LOOK_TONES_DISPLAY_AIM_H_

namespace halftoned {

// The light that a print should reflect, 0 (its black) … 1 (its paper), where
// gray is coded as sGray. code: 0 … 1.
double LightAimedAt(double code);

// The lightness of sGray, 0 … 100. code: 0 … 1.
double LightnessOfDisplay(double code);

}  // namespace halftoned

#endif  // HALFTONED_HALFTONE_LOOK_TONES_DISPLAY_AIM_H_
