// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The halftone types of libcupsfilters that are not also ours:
//
//   type       = "stochastic" | … (PrintSetting::ForeignNames)
//              | "dithering" | "foo2zjs" | screen
//   screen     = ( "genordered" | "spot" )
//                [ "-" frequency [ "-" angle [ "-" shape [ "-" gamma ] ] ] ]
//
// `dithering` is an ordered 8 × 8 dither. The others are AM screens: a
// frequency in lines per inch, an angle in degrees and the number of a shape.
// `gamma` is 100 times the exponent of the tone; 0 means none. foreign_type.cc
// has the defaults, which `foo2zjs` cannot change.

#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "halftone/look/settings.h"

namespace halftoned {

// Our nearest type.
struct ForeignType {
  std::string_view name;
  // The settings that the name and its parameters set, to values of `look`.
  std::vector<const PrintSetting*> settings;
  Look look;
  bool is_near = false;  // the dots differ
};

// Nothing if `text` is not one of these types; an error if a parameter is
// invalid.
std::optional<Result<ForeignType>> ParseForeignType(std::string_view text);

}  // namespace halftoned
