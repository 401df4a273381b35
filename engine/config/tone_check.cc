// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "config/tone_check.h"

#include "halftone/halftone_type.h"

namespace halftoned {
namespace {

// Of the type and the levels, either of which may be said elsewhere.
void CheckType(const Setting<Algorithm>& type, const Setting<int>& levels,
               std::vector<std::string>& problems) {
  auto parts = PartsOf({.algorithm = type.value}, levels.value);
  if (!parts.ok()) return;
  const auto recipe = Recipe::Make(*parts);
  if (recipe.ok()) return;
  problems.push_back(type.where + ": " + IgnoredType(recipe.error()));
}

void CheckCurve(const ToneConfig& tone, const ReadText& read_text,
                std::vector<std::string>& problems) {
  if (!tone.tone_curve) return;
  const auto curve = ReadMeasuredCurve(*tone.tone_curve, read_text);
  if (!curve.ok()) problems.push_back(curve.error().message);
}

}  // namespace

Result<ToneCurve> ReadMeasuredCurve(const Setting<std::string>& file,
                                    const ReadText& read_text) {
  const Result<std::string> text = read_text(file.value);
  if (!text.ok()) {
    return BadInput(file.where + ": tone curve " + text.error().message);
  }
  const Result<ToneCurve> curve = ToneCurve::Parse(*text);
  if (curve.ok()) return *curve;
  return BadInput("tone curve " + file.value + ", " + curve.error().message);
}

std::string IgnoredType(const Error& why) {
  return "the type of halftone is ignored: " + why.message;
}

std::vector<std::string> ToneProblems(const Config& config,
                                      const ReadText& read_text) {
  std::vector<std::string> problems;
  const ToneConfig& all = config.tone;
  CheckCurve(all, read_text, problems);
  if (all.halftone_type && all.levels) {
    CheckType(*all.halftone_type, *all.levels, problems);
  }
  for (const auto& [name, own] : config.queues) {
    CheckCurve(own, read_text, problems);
    if (!own.halftone_type && !own.levels) continue;
    const auto& type =
        own.halftone_type ? own.halftone_type : all.halftone_type;
    const auto& levels = own.levels ? own.levels : all.levels;
    if (type && levels) CheckType(*type, *levels, problems);
  }
  return problems;
}

}  // namespace halftoned
