// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simulated lasers: the light that their prints reflect. They differ from the
// discs of print_model.h and from the formula of dot gain (tone.h), and are
// what the default tones of lasers are made for.
//
// The beam exposes a page with a Gaussian spot. Toner develops where the
// exposure is above a threshold, along a sigmoid; its density adds nothing to
// that of solid black, 1.5. Paper scatters the light between the toner that it
// passes on its way in and on its way out.

#pragma once

#include <vector>

#include "halftone/page/recipe.h"

namespace halftoned::bench {

struct Laser {
  const char* name;
  double spot;       // micrometers, the full width at half of its maximum
  double threshold;  // of a solid area's exposure
  double steepness;  // of development there
  double spread;     // micrometers, the deviation of scattered light
  // Micrometers over which scattered light falls to 1/e, in place of spread.
  double scatter = 0;
};

// What lasers in use may be like, from one whose single dots of 1/1200 inch
// vanish to one whose tints fill in.
inline constexpr Laser kLasers[] = {{"sharp", 34, 0.44, 16, 12},
                                    {"typical", 52, 0.46, 9, 25},
                                    {"heavy", 56, 0.39, 11, 38}};
inline constexpr const Laser& kTypicalLaser = kLasers[1];

// Scattered light is a sum of Gaussians.
struct Scattering {
  std::vector<double> deviations;  // micrometers, of equal weight
};
Scattering ScatteringOf(const Laser& laser);

// The share of the density of solid black, 0 … 1.
double Developed(const Laser& laser, double exposure);

// The light of a print: 1 is paper.
struct LaserPrint {
  double light;  // the mean
  double noise;  // the deviation that an eye sees at 30 cm
};

// The print of a flat page of gray `sample`. dots_per_inch: 300, 600 or 1200.
LaserPrint PrintOfLaser(const Recipe& recipe, uint8_t sample,
                        const Laser& laser, int dots_per_inch);

// Its mean light.
double LightOfLaser(const Recipe& recipe, uint8_t sample, const Laser& laser,
                    int dots_per_inch);

// What solid black reflects.
double BlackOfLaser();

}  // namespace halftoned::bench
