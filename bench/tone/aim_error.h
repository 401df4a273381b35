// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far prints of simulated lasers (laser_model.h) are from a display that
// has the same black.

#pragma once

#include <vector>

#include "bench/tone/laser_model.h"
#include "halftone/look/halftone_type.h"

namespace halftoned::bench {

// The curve for a printer that has not been measured, except for the black
// point.
ToneCurve DefaultTones(const HalftoneType& type, ToneAim aim,
                       double dots_per_inch);

// In L*.
struct AimErrors {
  double mean;
  double largest;
  double noise;                   // as seen, the mean of all steps
  std::vector<double> lightness;  // of each step
};

// The errors of a wedge of `steps` tones, from black to white. The light of the
// display is that of sGray, between the laser's black and paper.
AimErrors AimError(const HalftoneType& type, const ToneCurve& curve,
                   const Laser& laser, int dots_per_inch, int steps);

}  // namespace halftoned::bench
