// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of halftone as people choose them, resolved to a recipe's numbers.

#ifndef HALFTONED_HALFTONE_HALFTONE_TYPE_H_
#define HALFTONED_HALFTONE_HALFTONE_TYPE_H_

#include <array>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "halftone/clustered_table.h"
#include "halftone/named_number.h"
#include "halftone/recipe.h"
#include "halftone/tone.h"

namespace halftoned {

struct HalftoneType {
  std::optional<Algorithm> algorithm;  // none: the one that suits the levels
  double cluster_size = 4;             // of clustered: dots
  double dot_diameter = 1.25;          // of printer-model: of the pitch
};

inline constexpr std::array<NamedNumber<HalftoneType>, 2> kTypeNumbers{{
    {"cluster-size", &HalftoneType::cluster_size, kMinClusterSize,
     kMaxClusterSize, true},
    {"dot-diameter", &HalftoneType::dot_diameter, 1, 1.6},
}};

// "fine", "floyd-steinberg", "clustered", "printer-model" or "bi-level".
std::optional<Algorithm> AlgorithmNamed(std::string_view name);
inline constexpr char kAlgorithmNames[] =
    "fine, floyd-steinberg, clustered, printer-model or bi-level";

// Of a type that nobody has chosen: fine, or floyd-steinberg for more levels
// than two.
Algorithm SuitableAlgorithm(int levels);

// All of a recipe but its curve. With crisp edges of text, and with
// printer-model always, pure pixels are printed as they are. Refuses numbers
// that are out of their range; whether the algorithm has so many levels is
// Recipe::Make's to say.
Result<Recipe::Parts> PartsOf(const HalftoneType& type, int levels,
                              bool crisp_edges = false);

// How much of the dot gain of single dots there is with such a recipe, 0 … 1.
double ShareOfDotGain(const Recipe::Parts& parts);

// The curve of a recipe with such parts: the wishes, and of the dot gain, which
// is that of single dots, the recipe's share. A curve that was measured comes
// last, in place of the dot gain; a recipe without a share has no use for it.
Result<ToneCurve> CurveFor(const Recipe::Parts& parts, const Tone& tone,
                           const std::optional<ToneCurve>& measured);

}  // namespace halftoned

#endif  // HALFTONED_HALFTONE_HALFTONE_TYPE_H_
