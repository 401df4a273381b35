// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/system_driver/ppd/ppd_choices.h"

#include <cups/cups.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>

// CUPS has deprecated PPD files, but its drivers have nothing else.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace halftoned {
namespace {

// PAPPL's room.
constexpr size_t kMaxResolutions = 4;
// The second is HPLIP's.
constexpr const char* kResolutionOptions[] = {"Resolution", "OutputMode"};

constexpr double kHundredthsPerPoint = 2540.0 / 72;
// PAPPL's room.
constexpr size_t kMaxPapers = 256;

// Numbers of a damaged file can be of any size, or none.
bool IsPlausible(const ppd_size_t& size) {
  constexpr double kMost = 100'000;  // points, 35 m
  const double numbers[] = {size.width,  size.length, size.left,
                            size.bottom, size.right,  size.top};
  return std::ranges::all_of(
      numbers, [](double each) { return std::abs(each) <= kMost; });
}

int Margin(double points) {
  return std::max(static_cast<int>(std::ceil(points * kHundredthsPerPoint)), 0);
}

int Hundredths(double points) {
  return static_cast<int>(std::lround(points * kHundredthsPerPoint));
}

}  // namespace

PpdResolutions PpdResolutions::Read(ppd_file_t* ppd) {
  PpdResolutions all;
  for (const char* keyword : kResolutionOptions) {
    const ppd_option_t* option = ppdFindOption(ppd, keyword);
    if (!option || all.dpis.size() > 1) continue;
    PpdResolutions of_option{.keyword = keyword};
    for (int i = 0; i < option->num_choices; ++i) {
      const std::string choice = option->choices[i].choice;
      ppdMarkOption(ppd, keyword, choice.c_str());
      of_option.Add(MarkedDpi(ppd), choice, choice == option->defchoice);
    }
    ppdMarkOption(ppd, keyword, option->defchoice);
    if (of_option.dpis.size() > all.dpis.size()) all = std::move(of_option);
  }
  if (all.dpis.empty()) all.Add(MarkedDpi(ppd), "", true);
  return all;
}

void PpdResolutions::Add(std::optional<int> dpi, const std::string& choice,
                         bool is_usual) {
  if (!dpi || dpis.size() == kMaxResolutions) return;
  const auto at = std::ranges::lower_bound(dpis, *dpi);
  const auto choice_at = choices.begin() + (at - dpis.begin());
  if (at == dpis.end() || *at != *dpi) {
    choices.insert(choice_at, choice);
    dpis.insert(at, *dpi);
  } else if (is_usual) {
    *choice_at = choice;  // the default stands for all of its resolution
  }
  if (is_usual) usual = *dpi;
}

std::string PpdResolutions::ChoiceFor(int dpi) const {
  const auto found = std::ranges::find(dpis, dpi);
  return found == dpis.end()
             ? ""
             : choices[static_cast<size_t>(found - dpis.begin())];
}

PpdPapers PpdPapers::Read(ppd_file_t* ppd) {
  PpdPapers papers;
  for (int i = 0; i < ppd->num_sizes; ++i) {
    const ppd_size_t& size = ppd->sizes[i];
    if (std::string_view(size.name) == "Custom" || !IsPlausible(size) ||
        papers.all.size() == kMaxPapers) {
      continue;
    }
    const pwg_media_t* media =
        pwgMediaForSize(Hundredths(size.width), Hundredths(size.length));
    if (!media || !media->pwg) continue;
    // The file's default stands for all of its size.
    const auto same =
        std::ranges::find(papers.all, media->pwg, &PpdPaper::name);
    PpdPaper paper{media->pwg, size.name, size.width, size.length};
    if (same == papers.all.end()) {
      papers.all.push_back(std::move(paper));
    } else if (size.marked) {
      *same = std::move(paper);
    }
    if (!size.marked && !papers.usual.empty()) continue;
    papers.usual = media->pwg;
    papers.left_right =
        std::max(Margin(size.left), Margin(size.width - size.right));
    papers.bottom_top =
        std::max(Margin(size.bottom), Margin(size.length - size.top));
  }
  return papers;
}

const std::string& PpdPapers::ChoiceFor(const InkPage& page) const {
  auto paper = std::ranges::find(all, page.paper, &PpdPaper::name);
  if (paper == all.end()) {
    paper = std::ranges::find_if(all, [&](const PpdPaper& each) {
      return std::abs(each.width - page.header.PageSize[0]) <= 2 &&
             std::abs(each.length - page.header.PageSize[1]) <= 2;
    });
  }
  if (paper == all.end())
    paper = std::ranges::find(all, usual, &PpdPaper::name);
  return paper->choice;
}

std::string OptionsOf(const PpdChoices& choices) {
  std::string options;
  for (const auto& [keyword, choice] : choices) {
    options += (options.empty() ? "" : " ") + keyword + "=" + choice;
  }
  return options;
}

Result<void> Mark(const PpdChoices& choices, ppd_file_t* ppd) {
  for (const auto& [keyword, choice] : choices) {
    ppdMarkOption(ppd, keyword.c_str(), choice.c_str());
  }
  if (ppdConflicts(ppd) == 0) return {};
  bool is_chosen = false;
  std::string conflict;
  for (ppd_option_t* option = ppdFirstOption(ppd); option;
       option = ppdNextOption(ppd)) {
    const ppd_choice_t* marked = ppdFindMarkedChoice(ppd, option->keyword);
    if (!option->conflicted || !marked) continue;
    if (std::string_view(option->keyword) == "PageRegion") continue;
    is_chosen |= std::string_view(marked->choice) != option->defchoice;
    conflict += (conflict.empty() ? "" : " with ") +
                std::string(option->keyword) + "=" + marked->choice;
  }
  if (!is_chosen) return {};
  return BadInput("the printer cannot do " + conflict);
}

}  // namespace halftoned
