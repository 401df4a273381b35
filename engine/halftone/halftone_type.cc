// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/halftone_type.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "halftone/dot_model.h"

namespace halftoned {
namespace {

struct Name {
  std::string_view name;
  Algorithm algorithm;
};

constexpr Name kNames[] = {
    {"fine", Algorithm::kFine},
    {"floyd-steinberg", Algorithm::kFloydSteinberg},
    {"clustered", Algorithm::kClustered},
    {"printer-model", Algorithm::kPrinterModel},
    {"bi-level", Algorithm::kBiLevel},
};

}  // namespace

std::optional<Algorithm> AlgorithmNamed(std::string_view name) {
  const auto* known = std::ranges::find(kNames, name, &Name::name);
  if (known == std::end(kNames)) return std::nullopt;
  return known->algorithm;
}

Algorithm SuitableAlgorithm(int levels) {
  return levels == 2 ? Algorithm::kFine : Algorithm::kFloydSteinberg;
}

Result<Recipe::Parts> PartsOf(const HalftoneType& type, int levels,
                              bool crisp_edges) {
  HALFTONED_TRY(CheckNumbers(kTypeNumbers, type));
  Recipe::Parts parts;
  parts.levels = levels;
  parts.parameters[Recipe::kPure] = crisp_edges;
  parts.algorithm = type.algorithm.value_or(SuitableAlgorithm(levels));
  if (parts.algorithm == Algorithm::kClustered) {
    parts.parameters[Recipe::kClusterSize] =
        static_cast<int32_t>(std::lround(type.cluster_size));
  } else if (parts.algorithm == Algorithm::kPrinterModel) {
    HALFTONED_TRY_ASSIGN(const DotModel dots,
                         DotModel::OfDiameter(static_cast<int>(
                             std::lround(100 * type.dot_diameter))));
    parts.parameters[Recipe::kInk] = dots.ink;
    parts.parameters[Recipe::kOverlap] = dots.overlap;
    // At an edge of solid black large dots have no neighbours to reckon with:
    // the error of that would punch holes into it, of which more follow.
    parts.parameters[Recipe::kPure] = 1;
  }
  return parts;
}

double ShareOfDotGain(const Recipe::Parts& parts) {
  switch (parts.algorithm) {
    case Algorithm::kFloydSteinberg:
    case Algorithm::kFine:
      return 1;
    case Algorithm::kClustered: {  // what its clusters have of edges
      const int size = parts.parameters[Recipe::kClusterSize];
      const ClusterShape shape = ClusterShapeOf(size);
      return (shape.columns + shape.rows) / (2.0 * size);
    }
    case Algorithm::kPrinterModel:  // takes it off by itself
    case Algorithm::kBiLevel:       // has no tints that could be too dark
      return 0;
  }
  return 1;
}

Result<ToneCurve> CurveFor(const Recipe::Parts& parts, const Tone& tone,
                           const std::optional<ToneCurve>& measured) {
  HALFTONED_TRY(CheckNumbers(kToneNumbers, tone));
  const double share = ShareOfDotGain(parts);
  Tone shared = tone;
  shared.dot_gain *= measured ? 0 : share;
  HALFTONED_TRY_ASSIGN(const ToneCurve curve, CurveOf(shared));
  return measured && share > 0 ? curve.Then(*measured) : curve;
}

}  // namespace halftoned
