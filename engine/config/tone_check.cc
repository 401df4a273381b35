// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "config/tone_check.h"

#include "halftone/look/halftone_type.h"

namespace halftoned {
namespace {

constexpr const PrintSetting& kType = SettingNamed("halftone-type");
constexpr const PrintSetting& kLevels = SettingNamed("levels");
constexpr const PrintSetting& kToneCurve = SettingNamed("tone-curve");

// Checks the type and the levels, which different tables can set.
void CheckType(const LookConfig& of_type, const LookConfig& of_levels,
               std::vector<std::string>& problems) {
  auto parts = PartsOf(of_type.look(), of_levels.look().levels);
  if (!parts.ok()) return;
  const auto recipe = Recipe::Make(*parts);
  if (recipe.ok()) return;
  problems.push_back(*of_type.Where(kType) + ": " + ReplacedType(*parts));
}

void CheckCurve(const LookConfig& config, const ReadText& read_text,
                std::vector<std::string>& problems) {
  const std::string* where = config.Where(kToneCurve);
  if (!where) return;
  const auto curve =
      ReadMeasuredCurve({config.look().tone_curve, *where}, read_text);
  if (!curve.ok()) problems.push_back(curve.error().message);
}

// The settings of a queue's table, then those of [filter], then the defaults.
Result<Recipe> RecipeOf(const LookConfig& own, const LookConfig& all) {
  Look look = DefaultLookOfPrints();
  for (const PrintSetting& setting : kPrintSettings) {
    if (all.Where(setting)) setting.Copy(all.look(), look);
    if (own.Where(setting)) setting.Copy(own.look(), look);
  }
  HALFTONED_TRY_ASSIGN(auto parts,
                       PartsOf(look, look.levels, look.has_crisp_edges()));
  const auto recipe = Recipe::Make(parts);
  if (recipe.ok()) return recipe;
  look.algorithm = Algorithm::kFine;
  HALFTONED_TRY_ASSIGN(parts,
                       PartsOf(look, look.levels, look.has_crisp_edges()));
  return Recipe::Make(parts);
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
  const std::string& why = curve.error().message;
  return BadInput(file.where + ": tone curve " + file.value +
                  (why.starts_with("line ") ? ", " : ": ") + why);
}

std::string ReplacedType(const Recipe::Parts& parts) {
  return "halftone-type " + std::string(FindMethod(parts.algorithm)->name) +
         " has only two levels, but levels is " + std::to_string(parts.levels) +
         "; pages are printed with fine";
}

std::vector<std::string> ToneProblems(const Config& config,
                                      const ReadText& read_text) {
  std::vector<std::string> problems;
  const LookConfig& all = config.look;
  CheckCurve(all, read_text, problems);
  if (all.Where(kType) && all.Where(kLevels)) CheckType(all, all, problems);
  for (const auto& [name, own] : config.queues) {
    CheckCurve(own, read_text, problems);
    if (!own.Where(kType) && !own.Where(kLevels)) continue;
    const LookConfig& of_type = own.Where(kType) ? own : all;
    const LookConfig& of_levels = own.Where(kLevels) ? own : all;
    if (of_type.Where(kType) && of_levels.Where(kLevels)) {
      CheckType(of_type, of_levels, problems);
    }
  }
  return problems;
}

std::vector<TableRecipe> RecipesOfPrints(const Config& config) {
  std::vector<TableRecipe> recipes;
  const auto add = [&](const std::string& table, const LookConfig& own) {
    const auto recipe = RecipeOf(own, config.look);
    if (recipe.ok()) recipes.push_back({table, *recipe});
  };
  add("[filter]", config.look);
  for (const auto& [name, own] : config.queues) {
    add("[queue." + name + "]", own);
  }
  return recipes;
}

}  // namespace halftoned
