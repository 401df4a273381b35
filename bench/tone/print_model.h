// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A simulated print: the light that paper with soft-edged dots reflects. It
// differs from the model of the tone curves (tone.h), so that these can be
// tested with it.
//
// Each black pixel lays toner as a disc whose density is full inside and falls
// to 0 over its edge. The densities of overlapping discs add up, and the light
// is 10^-density. Solid black counts as no light at all.

#pragma once

#include "halftone/page/recipe.h"

namespace halftoned::bench {

// In micrometers.
struct Dots {
  double pitch;
  double diameter;  // where the density is half
  double edge;      // over which it falls
};

// The mean light, 0 … 1, of a flat page of gray `sample`, halftoned by the
// definition.
double PrintedLight(const Recipe& recipe, uint8_t sample, const Dots& dots);

}  // namespace halftoned::bench
