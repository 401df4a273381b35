// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The halftone types of libcupsfilters that have parameters or no counterpart
// here:
//
//   type       = "dithering" | "foo2zjs" | screen
//   screen     = ( "genordered" | "spot" )
//                [ "-" frequency [ "-" angle [ "-" shape [ "-" gamma ] ] ] ]
//
// `dithering` is an ordered 8 × 8 dither. The others are AM screens: a
// frequency in lines per inch and an angle in degrees, which are fixed in
// `foo2zjs`. `gamma` is 100 times the exponent of the tone.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "halftone/look/settings.h"

namespace halftoned {

struct ForeignType {
  Algorithm ours{};  // our nearest type
  std::string_view name;
  // The settings that the parameters set.
  std::vector<std::pair<const PrintSetting*, double>> numbers{};
  bool is_round = true;  // the dots of the foreign type
};

// Nothing if `text` is none of these types; an error if a parameter is invalid.
std::optional<Result<ForeignType>> ParseForeignType(std::string_view text);

}  // namespace halftoned
