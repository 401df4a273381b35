// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the place where a row crosses something like a bullseye is the center
// of an Aztec code, compact or full. The content of the code does not matter.

#pragma once

#include <cstdint>
#include <optional>

#include "halftone/look/codes/bar_edges.h"
#include "halftone/look/codes/code_area.h"

namespace halftoned {

// What a row tells about a bullseye.
struct SeenBullseye {
  Place place;     // in the middle, on that row
  int64_t module;  // in 1/256 of a place
  int64_t ring;    // that the row crosses: 0 is the central module
  int light_from;
  // The last row of a bullseye whose center is below the place.
  int64_t last_row;

  static SeenBullseye Make(Place place, int64_t module, int64_t ring,
                           int light_from);
};

struct AztecAnswer {
  bool is_later = false;  // more rows are needed
  std::optional<CodeArea> area;
};

// Precondition: the last row of the bullseye is known.
AztecAnswer AztecAt(const LightRows& rows, const SeenBullseye& seen);

}  // namespace halftoned
