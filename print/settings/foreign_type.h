// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The halftone types of libcupsfilters that have parameters, or no counterpart
// of ours:
//
//   type       = "dithering" | "foo2zjs" | screen
//   screen     = ( "genordered" | "spot" )
//                [ "-" frequency [ "-" angle [ "-" shape [ "-" gamma ] ] ] ]
//
// `dithering` is an ordered 8 × 8 dither; the others are screens of lines per
// inch and degrees, `foo2zjs` a fixed one. A gamma is a hundred times the
// exponent of a tone.

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
  Algorithm ours{};  // the nearest
  std::string_view name;
  // The settings that parameters are for.
  std::vector<std::pair<const PrintSetting*, double>> numbers{};
  bool is_round = true;  // the shape of dots
};

// Nothing if `text` is no such type; an error if its parameters are wrong.
std::optional<Result<ForeignType>> ParseForeignType(std::string_view text);

}  // namespace halftoned
