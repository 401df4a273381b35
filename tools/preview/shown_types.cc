// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "preview/shown_types.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/text.h"
#include "halftone/look/halftone_type.h"

namespace halftoned {
namespace {

constexpr const PrintSetting& kShownType = SettingNamed("halftone-type");
constexpr const PrintSetting& kShownCluster = SettingNamed("cluster-size");

// Types shown in addition to the type that is set.
constexpr std::string_view kUsualTypes[] = {"fine", "best", "clustered",
                                            "screen"};

Result<Recipe::Parts> PartsWith(std::optional<Algorithm> algorithm,
                                const PrintLook& print, double dots_per_inch) {
  HalftoneType type = print.look;
  type.algorithm = algorithm;
  return PartsOf(type, print.look.levels, print.look.has_crisp_edges(),
                 {dots_per_inch, dots_per_inch});
}

std::string NameOf(const Recipe& recipe, const PrintLook& print) {
  std::string name(recipe.name());
  if (recipe.algorithm() == Algorithm::kClustered) {
    name.append(" ").append(kShownCluster.TextOf(print.look));
  }
  return name;
}

// The least light that `curve` maps to `light`, interpolated between steps.
double Undone(const ToneCurve& curve, double light) {
  const auto& table = curve.table();
  const double wanted = light * kWhite;
  const auto* const above = std::ranges::lower_bound(
      table, wanted, {}, [](uint16_t value) { return double(value); });
  if (above == table.begin()) return 0;
  if (above == table.end()) return 1;
  const double step = double(*above) - double(*(above - 1));
  const double part = (wanted - double(*(above - 1))) / step;
  return (double(above - 1 - table.begin()) + part) / kWhite;
}

}  // namespace

Result<std::vector<ShownType>> ShownTypes(const std::vector<std::string>& names,
                                          const PrintLook& print,
                                          double dots_per_inch) {
  std::vector<std::optional<Algorithm>> algorithms;
  const auto add = [&](std::string_view name) {
    Look named = print.look;
    const std::string in_lower_case = LowerCase(name);
    if (in_lower_case != "auto") kShownType.Set(in_lower_case, named);
    const auto algorithm = named.algorithm.value_or(
        AutomaticType(named, {dots_per_inch, dots_per_inch}));
    if (std::ranges::count(algorithms, algorithm) == 0) {
      algorithms.emplace_back(algorithm);
    }
  };
  for (const std::string& name : names) add(name);
  if (names.empty()) {
    add("auto");
    for (const std::string_view name : kUsualTypes) add(name);
  }
  std::vector<ShownType> types;
  for (const auto algorithm : algorithms) {
    const auto parts = PartsWith(algorithm, print, dots_per_inch);
    // Scans and pictures have no black ink, and PDF has a profile for it.
    const Result<Recipe> recipe =
        parts.ok() ? RecipeOfPrint(print, *parts, dots_per_inch, true)
                   : Result<Recipe>(parts.error());
    if (!recipe.ok() && names.empty()) continue;
    if (!recipe.ok()) return recipe.error();
    types.push_back({NameOf(*recipe, print), *recipe});
  }
  if (types.empty()) return BadInput("no type has these levels");
  return types;
}

Result<ToneCurve> TonesOfPrinter(const PrintLook& print, double dots_per_inch) {
  HALFTONED_TRY_ASSIGN(Recipe::Parts parts,
                       PartsWith(print.look.algorithm, print, dots_per_inch));
  if (ShareOfDotGain(parts) == 0) {
    HALFTONED_TRY_ASSIGN(parts,
                         PartsWith(Algorithm::kFine, print, dots_per_inch));
  }
  HALFTONED_TRY_ASSIGN(const ToneCurve of_printer,
                       PrintersCorrection(print, parts, dots_per_inch));
  HALFTONED_TRY_ASSIGN(
      const ToneCurve of_laser,
      TypicalCurveFor(parts, Technology::kLaser, dots_per_inch));
  if (of_printer == of_laser) return ToneCurve();
  ToneCurve::Table table;
  for (size_t i = 0; i < table.size(); ++i) {
    const double asked = double(of_laser.table()[i]) / kWhite;
    table[i] =
        static_cast<uint16_t>(std::lround(Undone(of_printer, asked) * kWhite));
  }
  // Solid black and paper do not change, whatever the ends of the curves are.
  table.front() = 0;
  table.back() = kWhite;
  return ToneCurve::FromTable(table);
}

}  // namespace halftoned
