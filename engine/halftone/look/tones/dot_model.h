// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The area that a printer's round dots darken, from their diameter, for recipes
// of kPrinterModel. Engines see only the two integers.

#ifndef HALFTONED_HALFTONE_LOOK_TONES_DOT_MODEL_H_
#define HALFTONED_HALFTONE_LOOK_TONES_DOT_MODEL_H_

#include <cstdint>

#include "base/result.h"

namespace halftoned {

// Areas; a pixel's own square is kWhite.
struct DotModel {
  int32_t ink;      // a dot's area
  int32_t overlap;  // shared with the dot beside or above it

  // diameter: 100 … 160 hundredths of the pitch. From 142 on dots overlap
  // across corners too, which the model ignores.
  static Result<DotModel> OfDiameter(int diameter);
};

}  // namespace halftoned

#endif  // HALFTONED_HALFTONE_LOOK_TONES_DOT_MODEL_H_
