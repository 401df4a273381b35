// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An option of a PPD file that is made: its choices, and what each tells the
// renderer.

#ifndef HALFTONED_TOOLS_ADOPT_PPD_PPD_OPTION_H_
#define HALFTONED_TOOLS_ADOPT_PPD_PPD_OPTION_H_

#include <string>

namespace halftoned {

// A keyword of IPP, such as "by-pass-tray": "ByPassTray", as libcups calls it
// in PPD files, where it finds it again.
std::string ChoiceOf(const std::string& keyword);

// "By pass tray". Not of an empty keyword.
std::string WordsOf(std::string keyword);

struct PpdOption {
  std::string keyword;
  std::string text;
  int order;
  std::string usual;
  std::string choices;  // lines

  // The entries of a page device, such as "/Duplex true"; none if empty.
  void AddChoice(const std::string& name, const std::string& words,
                 const std::string& dictionary);
  std::string Lines() const;
};

}  // namespace halftoned

#endif  // HALFTONED_TOOLS_ADOPT_PPD_PPD_OPTION_H_
