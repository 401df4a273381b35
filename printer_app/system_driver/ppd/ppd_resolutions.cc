// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/system_driver/ppd/ppd_resolutions.h"

#include <algorithm>

// CUPS has deprecated PPD files, but its drivers have nothing else.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace halftoned {
namespace {

// PAPPL's room.
constexpr size_t kMaxResolutions = 4;
// The second is HPLIP's.
constexpr const char* kResolutionOptions[] = {"Resolution", "OutputMode"};

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

}  // namespace halftoned
