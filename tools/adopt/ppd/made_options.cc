// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adopt/ppd/made_options.h"

#include <cups/cups.h>
#include <cups/pwg.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <string_view>

namespace halftoned {

std::string ChoiceOf(const std::string& keyword) {
  std::string choice;
  bool begins = true;
  for (const char c : keyword) {
    if (c == '-') {
      begins = true;
      continue;
    }
    choice += begins ? static_cast<char>(std::toupper(c)) : c;
    begins = false;
  }
  return choice;
}

std::string WordsOf(std::string keyword) {
  std::replace(keyword.begin(), keyword.end(), '-', ' ');
  keyword[0] = static_cast<char>(std::toupper(keyword[0]));
  return keyword;
}

void PpdOption::AddChoice(const std::string& name, const std::string& words,
                          const std::string& dictionary) {
  const std::string code =
      dictionary.empty() ? "" : "<<" + dictionary + ">>setpagedevice";
  choices += "*" + keyword + " " + name + "/" + words + ": \"" + code + "\"\n";
}

std::string PpdOption::Lines() const {
  return "*OpenUI *" + keyword + "/" + text + ": PickOne\n" +
         "*OrderDependency: " + std::to_string(order) + " AnySetup *" +
         keyword + "\n*Default" + keyword + ": " + usual + "\n" + choices +
         "*CloseUI: *" + keyword + "\n";
}

namespace {

// CUPS refuses pages that are shorter than a point.
constexpr int kShortestHundredths = 36;
constexpr int kLongestHundredths = 1'000'000;

std::string Points(int hundredths) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.4f", hundredths * 72 / 2540.0);
  return text;
}

bool IsSane(const PaperFacts& paper) {
  return paper.width >= kShortestHundredths &&
         paper.length >= kShortestHundredths &&
         paper.width <= kLongestHundredths &&
         paper.length <= kLongestHundredths && paper.left >= 0 &&
         paper.right >= 0 && paper.top >= 0 && paper.bottom >= 0 &&
         paper.left + paper.right < paper.width &&
         paper.top + paper.bottom < paper.length;
}

bool IsBorderless(const PaperFacts& paper) {
  return paper.left + paper.right + paper.top + paper.bottom == 0;
}

std::string NameOf(const PaperFacts& paper) {
  const pwg_media_t* media = pwgMediaForSize(paper.width, paper.length);
  if (!media) return "";
  const char* name = media->ppd ? media->ppd : media->pwg;
  return name && std::string_view(name).size() <= kMostNameBytes ? name : "";
}

}  // namespace

std::vector<NamedPaper> PapersOf(const PrinterFacts& facts) {
  std::vector<NamedPaper> papers;
  for (const PaperFacts& paper : facts.papers) {
    if (!IsSane(paper) || papers.size() >= kMostChoices) continue;
    const std::string name = NameOf(paper);
    const auto known = std::find_if(
        papers.begin(), papers.end(),
        [&](const NamedPaper& other) { return other.name == name; });
    if (name.empty()) continue;
    if (known == papers.end()) {
      papers.push_back({name, paper});
    } else if (IsBorderless(known->facts)) {
      known->facts = paper;
    }
  }
  return papers;
}

std::string PaperLines(const PrinterFacts& facts,
                       const std::vector<NamedPaper>& papers) {
  std::string usual = papers.front().name;
  for (const NamedPaper& paper : papers) {
    if (facts.paper && NameOf(*facts.paper) == paper.name) usual = paper.name;
  }
  std::string lines;
  for (const char* keyword : {"PageSize", "PageRegion"}) {
    PpdOption option{keyword, "Media Size", 10, usual, ""};
    for (const auto& [name, paper] : papers) {
      option.AddChoice(name, name,
                       "/PageSize[" + Points(paper.width) + " " +
                           Points(paper.length) + "]/ImagingBBox null");
    }
    lines += option.Lines();
  }
  lines += "*DefaultImageableArea: " + usual + "\n";
  for (const auto& [name, paper] : papers) {
    lines += "*ImageableArea " + name + "/" + name + ": \"" +
             Points(paper.left) + " " + Points(paper.bottom) + " " +
             Points(paper.width - paper.right) + " " +
             Points(paper.length - paper.top) + "\"\n";
  }
  lines += "*DefaultPaperDimension: " + usual + "\n";
  for (const auto& [name, paper] : papers) {
    lines += "*PaperDimension " + name + "/" + name + ": \"" +
             Points(paper.width) + " " + Points(paper.length) + "\"\n";
  }
  return lines;
}

std::string CustomPaperLines(const CustomFacts& custom) {
  const PaperFacts& least = custom.least;
  const PaperFacts& most = custom.most;
  if (!IsSane(least) || !IsSane(most)) return "";
  return "*VariablePaperSize: True\n"
         "*MaxMediaWidth: \"" +
         Points(most.width) + "\"\n*MaxMediaHeight: \"" + Points(most.length) +
         "\"\n*HWMargins: " + Points(most.left) + " " + Points(most.bottom) +
         " " + Points(most.right) + " " + Points(most.top) +
         "\n*NonUIOrderDependency: 10 AnySetup *CustomPageSize\n"
         "*CustomPageSize True: \"pop pop pop <</PageSize[5 -2 roll]"
         "/ImagingBBox null>>setpagedevice\"\n"
         "*ParamCustomPageSize Width: 1 points " +
         Points(least.width) + " " + Points(most.width) +
         "\n*ParamCustomPageSize Height: 2 points " + Points(least.length) +
         " " + Points(most.length) +
         "\n*ParamCustomPageSize WidthOffset: 3 points 0 0\n"
         "*ParamCustomPageSize HeightOffset: 4 points 0 0\n"
         "*ParamCustomPageSize Orientation: 5 int 0 0\n";
}

namespace {

// CUPS' names of options in PPD files, and the prefixes of the IPP keywords
// that are their choices.
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
    // A number unknown to libcups is shown as the number.
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
