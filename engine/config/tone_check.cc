// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "config/tone_check.h"

#include "halftone/look/halftone_type.h"

namespace halftoned {
namespace {

constexpr const PrintSetting& kType = SettingNamed("halftone-type");
constexpr const PrintSetting& kLevels = SettingNamed("levels");
constexpr const PrintSetting& kToneCurve = SettingNamed("tone-curve");

constexpr const PrintSetting& kMinRun = SettingNamed("min-run");

// Checks settings that depend on each other, which different tables can set.
void CheckType(const LookConfig& own, const LookConfig& all,
               std::vector<std::string>& problems) {
  const auto of = [&](const PrintSetting& setting) -> const LookConfig& {
    return own.Where(setting) ? own : all;
  };
  Look look;
  bool is_own = false;
  for (const PrintSetting* setting : {&kType, &kLevels, &kMinRun}) {
    setting->Copy(of(*setting).look(), look);
    is_own = is_own || own.Where(*setting);
  }
  if (!is_own) return;
  std::vector<Replaced> replaced;
  if (!PartsOfPrint(look, replaced).ok()) return;
  for (const auto& [setting, what] : replaced) {
    problems.push_back(*of(*setting).Where(*setting) + ": " + what);
  }
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
  std::vector<Replaced> replaced;
  HALFTONED_TRY_ASSIGN(const Recipe::Parts parts, PartsOfPrint(look, replaced));
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

Result<Recipe::Parts> PartsOfPrint(Look& look,
                                   std::vector<Replaced>& replaced) {
  const Result<Recipe::Parts> parts =
      PartsOf(look, look.levels, look.has_crisp_edges());
  const Result<Recipe> recipe =
      parts.ok() ? Recipe::Make(*parts) : Result<Recipe>(parts.error());
  if (recipe.ok()) return parts;
  if (look.min_run > 1) {
    replaced.push_back(
        {&kMinRun, "min-run is ignored: " + recipe.error().message});
    look.min_run = 1;
  } else if (parts.ok() && look.algorithm != Algorithm::kFine) {
    replaced.push_back(
        {&kType,
         "halftone-type " + std::string(FindMethod(parts->algorithm)->name) +
             " has only two levels, but levels is " +
             std::to_string(parts->levels) + "; pages are printed with fine"});
    look.algorithm = Algorithm::kFine;
  } else {
    return recipe.error();
  }
  return PartsOfPrint(look, replaced);
}

std::vector<std::string> ToneProblems(const Config& config,
                                      const ReadText& read_text) {
  std::vector<std::string> problems;
  const LookConfig& all = config.look;
  CheckCurve(all, read_text, problems);
  CheckType(all, all, problems);
  for (const auto& [name, own] : config.queues) {
    CheckCurve(own, read_text, problems);
    CheckType(own, all, problems);
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
