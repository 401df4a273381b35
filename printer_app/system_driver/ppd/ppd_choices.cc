// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/system_driver/ppd/ppd_choices.h"

#include <string_view>

// CUPS has deprecated PPD files, but its drivers have nothing else.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace halftoned {

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
