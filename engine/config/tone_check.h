// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a configuration makes pages look, and problems that its text alone does
// not show: curves that cannot be read, types without the configured levels.

#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "config/config.h"
#include "halftone/look/settings.h"
#include "halftone/page/recipe.h"
#include "halftone/page/tone_curve.h"

namespace halftoned {

// Errors name the path.
using ReadText = std::function<Result<std::string>(const std::string& path)>;

// Reads the curve in `file`. An error names the line of the setting, and the
// file with its line.
Result<ToneCurve> ReadMeasuredCurve(const Setting<std::string>& file,
                                    const ReadText& read_text);

// The job's option that, with the value off, leaves out a measured curve, as
// for a calibration chart.
inline constexpr std::string_view kMeasuredCurveOption =
    "halftone-measured-curve";

// A setting that conflicts with the others.
struct Replaced {
  const PrintSetting* setting;
  std::string what;  // what is done instead, and why
};

// The parts of a recipe for prints, without curve. Jobs print even if settings
// conflict: in `look`, a type that does not support the configured levels is
// replaced, and so is a min-run that the type does not support.
Result<Recipe::Parts> PartsOfPrint(Look& look, std::vector<Replaced>& replaced);

// A line for each problem of [filter] and of each [queue].
std::vector<std::string> ToneProblems(const Config& config,
                                      const ReadText& read_text);

struct TableRecipe {
  std::string table;  // "[filter]", "[queue.NAME]"
  Recipe recipe;      // with no curve
};

// The settings of jobs if neither the jobs nor PPD files set any: for [filter]
// and for each [queue].
std::vector<TableRecipe> RecipesOfPrints(const Config& config);

}  // namespace halftoned
