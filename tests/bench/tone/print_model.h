// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A simulated print: what light comes back from dots with soft edges. It is not
// the model that tone curves are made with (tone.h), so that these can be tried
// on it.
//
// Each black pixel lays toner as a disc whose density is full inside and falls
// to 0 over its edge; where discs overlap their densities add up, and light is
// what comes through: 10^-density. Solid black is taken for no light at all.

#ifndef HALFTONED_TESTS_BENCH_TONE_PRINT_MODEL_H_
#define HALFTONED_TESTS_BENCH_TONE_PRINT_MODEL_H_

#include "halftone/recipe.h"

namespace halftoned::bench {

// In micrometres.
struct Dots {
  double pitch;
  double diameter;  // where the density is half
  double edge;      // over which it falls
};

// The mean light, 0 … 1, of a flat page of gray `sample`, halftoned by the
// definition.
double PrintedLight(const Recipe& recipe, uint8_t sample, const Dots& dots);

}  // namespace halftoned::bench

#endif  // HALFTONED_TESTS_BENCH_TONE_PRINT_MODEL_H_
