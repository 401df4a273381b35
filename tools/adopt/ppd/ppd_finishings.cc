// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adopt/ppd/ppd_finishings.h"

#include <cups/cups.h>

#include <string_view>

#include "adopt/ppd/ppd_option.h"

namespace halftoned {
namespace {

// Options as CUPS calls them in PPD files, and the keywords of IPP that are
// their choices: those that begin so.
struct Finisher {
  const char* keyword;
  const char* text;
  std::string_view beginnings[4];
};
constexpr Finisher kFinishers[] = {
    {"StapleLocation",
     "Staple",
     {"staple", "bind", "edge-stitch", "saddle-stitch"}},
    {"PunchMedia", "Punch", {"punch"}},
    {"FoldType", "Fold", {"fold"}},
};

bool Makes(const Finisher& finisher, std::string_view keyword) {
  for (const std::string_view beginning : finisher.beginnings) {
    if (!beginning.empty() && keyword.starts_with(beginning)) return true;
  }
  return false;
}

std::string LinesOf(const Finisher& finisher, const std::set<int>& numbers) {
  PpdOption option{finisher.keyword, finisher.text, 10, "None", ""};
  std::string numbered;
  option.AddChoice("None", "None", "");
  for (const int number : numbers) {
    // A number that libcups does not know is its own text.
    const std::string keyword = ippEnumString("finishings", number);
    if (!Makes(finisher, keyword)) continue;
    const std::string choice = ChoiceOf(keyword);
    option.AddChoice(choice, WordsOf(keyword), "");
    numbered += "*cupsIPPFinishings " + std::to_string(number) + "/" + keyword +
                ": \"*" + finisher.keyword + " " + choice + "\"\n";
  }
  return numbered.empty() ? "" : option.Lines() + numbered;
}

}  // namespace

std::string FinishingLines(const PrinterFacts& facts) {
  std::string lines;
  for (const Finisher& finisher : kFinishers) {
    lines += LinesOf(finisher, facts.finishings);
  }
  return lines;
}

}  // namespace halftoned
