// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "preview/queue_look.h"

#include <sstream>

#include "base/text_file.h"
#include "check/places.h"
#include "check/program.h"
#include "convert/stages.h"

namespace halftoned {
namespace {

constexpr const PrintSetting& kPreviewedCurve = SettingNamed("tone-curve");
constexpr const PrintSetting& kPreviewedGain = SettingNamed("dot-gain");
constexpr const PrintSetting& kPreviewedBlack = SettingNamed("black-point");
constexpr int kSilentSeconds = 30;

// "600dpi" and "600x300dpi" without the unit.
std::string WithoutUnit(std::string resolution) {
  constexpr std::string_view kUnit = "dpi";
  if (resolution.ends_with(kUnit)) {
    resolution.resize(resolution.size() - kUnit.size());
  }
  return resolution;
}

Result<void> Take(const std::string& line, QueueLook& look) {
  const size_t equals = line.find('=');
  if (equals == line.npos) return {};
  const std::string name = line.substr(0, equals);
  const std::string value = line.substr(equals + 1);
  if (name == "resolution") look.resolution = WithoutUnit(value);
  const PrintSetting* setting = FindSetting(name);
  return setting ? SetInPrint(*setting, value, look.print) : Result<void>{};
}

}  // namespace

Result<void> SetInPrint(const PrintSetting& setting, const std::string& value,
                        PrintLook& print) {
  setting.Set(value, print.look);
  if (&setting == &kPreviewedBlack) print.has_black_point = true;
  if (&setting == &kPreviewedGain) {
    print.has_dot_gain = true;
    print.measured.reset();
  }
  if (&setting != &kPreviewedCurve) return {};
  HALFTONED_TRY_ASSIGN(const std::string text, ReadTextFile(value));
  const Result<ToneCurve> curve = ToneCurve::Parse(text);
  if (!curve.ok()) return InFile(value, curve.error());
  print.measured = *curve;
  return {};
}

Result<QueueLook> ReadQueueLook(const std::string& queue) {
  const std::string helper = Places::Find().helper();
  if (!Exists(helper)) {
    return Unavailable(queue + ": " + helper + " is not installed; " +
                       HowToInstall("cups-filter-halftone"));
  }
  HALFTONED_TRY_ASSIGN(const Outcome run,
                       RunProgram({helper, "look", queue}, kSilentSeconds));
  if (run.is_late) {
    return Unavailable(queue + ": CUPS does not reply; type: halftone check");
  }
  if (run.status != 0) {
    std::string said = run.errors.substr(0, run.errors.find('\n'));
    constexpr std::string_view kOurs = "halftone: ";
    if (said.starts_with(kOurs)) said.erase(0, kOurs.size());
    return Unavailable(said.empty() ? queue + ": " + helper + " has failed"
                                    : said);
  }
  QueueLook look;
  std::istringstream lines(run.out);
  for (std::string line; std::getline(lines, line);) {
    HALFTONED_TRY(Take(line, look));
  }
  return look;
}

}  // namespace halftoned
