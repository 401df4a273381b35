// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "halftone/look/halftone_type.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "halftone/look/tones/tone.h"
#include "halftone/page/clustered_table.h"
#include "halftone/page/print_feedback.h"

namespace halftoned {
namespace {

// At 300 dpi.
constexpr int kFeedbackOfCoarseDots = 128;

void SetScreen(const HalftoneType& type, const DotsPerInch& resolution,
               Recipe::Parts& parts) {
  const double ruling =
      type.screen_lpi > 0 ? type.screen_lpi : SuitableRuling(resolution);
  const double angle = type.screen_angle;
  const Supercell cell =
      SupercellFor(ruling, angle > 90 ? angle - 90 : angle, resolution);
  parts.parameters[Recipe::kRightX] = cell.right_x;
  parts.parameters[Recipe::kRightY] = cell.right_y;
  parts.parameters[Recipe::kDownX] = cell.down_x;
  parts.parameters[Recipe::kDownY] = cell.down_y;
  parts.parameters[Recipe::kCells] = cell.cells;
  parts.parameters[Recipe::kOutline] = type.screen_shape;
  parts.parameters[Recipe::kTurned] = type.screen_shape != DotShape::kRound &&
                                      AreTurned(cell, angle, resolution);
}

// The feedback that suits a printer: only lasers get feedback, and only if dots
// are not so small that a pixel's window says little about its light.
int FullFeedbackOf(Technology technology, const DotsPerInch& resolution) {
  if (technology != Technology::kLaser || resolution.has_small_dots()) return 0;
  return resolution.mean() >= 400 ? kFullFeedback : kFeedbackOfCoarseDots;
}

int32_t FeedbackOf(const HalftoneType& type, int levels,
                   const DotsPerInch& resolution) {
  if (levels != 2) return 0;
  const int full = FullFeedbackOf(type.technology, resolution);
  return static_cast<int32_t>(std::lround(full * type.print_feedback / 100));
}

// Whether single dots form checkerboards in middle tones. These print darker
// than other textures of their tone.
bool HasCheckerboards(const Recipe::Parts& parts) {
  return !Recipe::HasFeedback(parts) && !Recipe::HasRuns(parts) &&
         parts.algorithm != Algorithm::kScreen &&
         parts.algorithm != Algorithm::kClustered;
}

// The edges of each outline, relative to those of a disc of the same area; for
// a line, one as wide as a sixth of a cell.
constexpr double kEdgesOfOutlines[DotShape::kOutlines] = {1, 1.015, 1.382,
                                                          1.136};

// The edges of a dot that fills a sixth of a cell, relative to those of as many
// single dots.
double EdgesOfScreen(const Recipe::Parts& parts) {
  const Supercell cell = SupercellOf(parts);
  const double pixels =
      static_cast<double>(cell.pixels()) / (cell.cells * cell.cells);
  return std::min(1.0, kEdgesOfOutlines[DotShapeOf(parts).outline] *
                           std::sqrt(1.5 * std::numbers::pi / pixels));
}

}  // namespace

Algorithm AutomaticType(const HalftoneType& type,
                        const DotsPerInch& resolution) {
  if (type.min_run > 1) return Algorithm::kJarvis;
  return type.technology == Technology::kLaser && resolution.has_small_dots()
             ? Algorithm::kScreen
             : Algorithm::kFine;
}

Result<Recipe::Parts> PartsOf(const HalftoneType& type, int levels,
                              bool crisp_edges, const DotsPerInch& resolution) {
  HALFTONED_TRY(CheckNumbers(Look{type, {}}));
  Recipe::Parts parts;
  parts.levels = levels;
  const auto min_run = static_cast<int32_t>(std::lround(type.min_run));
  parts.parameters[Recipe::kPure] = crisp_edges && min_run == 1;
  parts.algorithm = type.algorithm.value_or(AutomaticType(type, resolution));
  if (const Method* method = FindMethod(parts.algorithm)) {
    parts.version = method->id.version;
    if (min_run > 1) {
      HALFTONED_TRY(CheckMinRun(*method, min_run));
      parts.parameters[Recipe::kKept] = min_run - 1;
    }
  }
  if (parts.algorithm == Algorithm::kClustered) {
    parts.parameters[Recipe::kClusterSize] =
        static_cast<int32_t>(std::lround(type.cluster_size));
  } else if (parts.algorithm == Algorithm::kFine ||
             parts.algorithm == Algorithm::kBest) {
    parts.parameters[Recipe::kFeedback] = FeedbackOf(type, levels, resolution);
  } else if (parts.algorithm == Algorithm::kScreen) {
    SetScreen(type, resolution, parts);
  }
  return parts;
}

double ShareOfDotGain(const Recipe::Parts& parts) {
  if (parts.algorithm == Algorithm::kClustered) {
    // The edges of its clusters.
    const int size = parts.parameters[Recipe::kClusterSize];
    const ClusterShape shape = ClusterShapeOf(size);
    return (shape.columns + shape.rows) / (2.0 * size);
  }
  if (parts.algorithm == Algorithm::kScreen) return EdgesOfScreen(parts);
  // No tints could be too dark.
  if (parts.algorithm == Algorithm::kBiLevel) return 0;
  // The edges of the shortest runs.
  const int run = 1 + parts.parameters[Recipe::kKept];
  return (run + 1) / (2.0 * run);
}

Result<ToneCurve> TypicalCurveFor(const Recipe::Parts& parts,
                                  Technology technology, double dots_per_inch) {
  const double share = ShareOfDotGain(parts);
  if (share == 0) return ToneCurve();
  return TypicalCurve(technology, share * dots_per_inch,
                      !HasCheckerboards(parts));
}

Result<ToneCurve> CurveFor(const Recipe::Parts& parts, const Tone& tone,
                           const std::optional<ToneCurve>& measured) {
  HALFTONED_TRY(CheckNumbers(Look{{}, tone}));
  const double share = ShareOfDotGain(parts);
  Tone shared = tone;
  shared.dot_gain *= measured ? 0 : share;
  if (parts.algorithm == Algorithm::kBiLevel) shared.aim = ToneAim::kLinear;
  HALFTONED_TRY_ASSIGN(const ToneCurve curve, CurveOf(shared));
  return measured && share > 0 ? curve.Then(*measured) : curve;
}

}  // namespace halftoned
