// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a printer's round dots darken, from their diameter: for whoever makes a
// recipe of kPrinterModel. Engines see only the two integers.

#ifndef HALFTONED_HALFTONE_DOT_MODEL_H_
#define HALFTONED_HALFTONE_DOT_MODEL_H_

#include <cstdint>

#include "base/result.h"

namespace halftoned {

// On a scale on which a pixel's own square is kWhite.
struct DotModel {
  int32_t ink;      // a dot's area
  int32_t overlap;  // shared with the dot beside or above it

  // diameter: 100 … 160 hundredths of the pitch. From 142 on dots meet across
  // corners too, which the model leaves out.
  static Result<DotModel> OfDiameter(int diameter);
};

}  // namespace halftoned

#endif  // HALFTONED_HALFTONE_DOT_MODEL_H_
